/** The seat a mail speaks for, with the phase that is open for it. */
import type { Rules, Scenario } from '../../kernel/types.ts';
import type { GameRow, PhaseRow, SeatRow } from '../../store/schema.ts';

/** Where orders are filed: read fresh under the game's lock. */
export interface OpenSeat {
  game: GameRow;
  phase: PhaseRow;
  seat: SeatRow;
  rules: Rules;
  scenario: Scenario;
}
