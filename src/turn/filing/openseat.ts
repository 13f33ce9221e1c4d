/** The seat a mail speaks for, with the phase that is open for it. */
import type { Rules, Scenario, SideId, Standing, View } from '../../kernel/types.ts';
import type { Wording } from '../../render/words.ts';
import type { GameRow, PhaseRow, ReceiptRow, RequestRow, SeatRow } from '../../store/schema.ts';

/** Where orders are filed: read fresh under the game's lock. */
export interface OpenSeat {
  game: GameRow;
  phase: PhaseRow;
  seat: SeatRow;
  rules: Rules;
  scenario: Scenario;
}

/** What the decision rests on: the seat with its open phase, and what stands so far. */
export interface SeatDesk {
  game: Pick<GameRow, 'ref'>;
  phase: Pick<PhaseRow, 'snapshot' | 'step' | 'status' | 'opened_at' | 'closed_at'>;
  seat: Pick<SeatRow, 'side'>;
  rules: Rules;
  scenario: Scenario;
  before: LastFiled | undefined;
  /** Standing orders in force. */
  standing: readonly Standing[];
  /** The mail that filed what stands was received after this one. */
  overtaken: boolean;
  /** Questions of a waiting phase, and what each side could see when it was asked. */
  requests: readonly SentQuestion[];
  views: Readonly<Record<SideId, View>>;
  /** In which a choice may be written too. */
  wording: Wording;
}

/** What stood before. */
type LastFiled = Pick<ReceiptRow, 'number' | 'lines' | 'orders' | 'notes' | 'final' | 'wait'>;
type SentQuestion = Pick<RequestRow, 'id' | 'number' | 'side' | 'decided_by' | 'body'>;
