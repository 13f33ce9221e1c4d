/** How each seat kept each deadline: the record behind promptness figures and a silent player's alarm. */
import type { SideId } from '../../kernel/types.ts';
import type { Trx } from '../../store/db.ts';
import { seatsOf } from '../../store/games.ts';
import { lastMailOf } from '../../store/mail.ts';
import { addTurnout } from '../../store/members.ts';
import { firstFiled } from '../../store/phases.ts';
import type { GameRow, PhaseRow, SeatRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { noticeFacts } from '../post/notices.ts';
import { mailMaster } from '../post/outbox.ts';
import { showMoment } from '../time/instants.ts';

const HOUR_MS = 3_600_000;
/** Deadlines missed running after which the master gets the evidence. */
const MISSED_ALARM = 3;

/** Notes for each seat that owed orders how it kept the deadline. Called in the transaction that runs the phase. */
export async function noteTurnout(
  service: Service,
  trx: Trx,
  game: GameRow,
  phase: PhaseRow,
  owing: readonly SideId[],
  missing: readonly SideId[],
): Promise<void> {
  const now = service.now();
  const due = phase.due_at;
  for (const seat of await seatsOf(trx, game.id)) {
    if (!owing.includes(seat.side) || seat.person_id === null) continue;
    const first = await firstFiled(trx, phase.id, seat.side);
    const missed = missing.includes(seat.side);
    // The phase ran without him: he owed nothing.
    if (!missed && !first) continue;
    const hoursLeft = due && first ? (due.getTime() - first.getTime()) / HOUR_MS : null;
    const late = hoursLeft !== null && hoursLeft < 0;
    await addTurnout(
      trx,
      {
        phaseId: phase.id,
        seatId: seat.id,
        personId: seat.person_id,
        result: missed ? 'missed' : late ? 'late' : 'filed',
        hoursLeft: missed ? null : hoursLeft,
      },
      now,
    );
    if (missed && seat.missed + 1 >= MISSED_ALARM) await alarm(service, trx, game, seat, seat.missed + 1);
  }
}

/** The third missed deadline running: the master gets the evidence and decides. */
async function alarm(service: Service, trx: Trx, game: GameRow, seat: SeatRow, times: number): Promise<void> {
  const last = await lastMailOf(trx, seat.id);
  const { sides } = service.scenarios.open(game.scenario).scenario;
  const params = {
    game: game.ref,
    side: sides.find((side) => side.id === seat.side)?.name ?? seat.side,
    id: seat.side,
    times,
    last: last ? showMoment(last, service.config.club.zone) : '-',
  };
  const facts = noticeFacts(service, { key: 'abandoned master', params });
  await mailMaster(service, trx, game, { kind: 'notice', facts });
}
