/** The phases of a game and which follows which: recruit, setup, tokens, orders, pause, supply. */
import { known as must } from '../../kernel/assert.ts';
import { deploy } from './deployment.ts';
import type { Asking, Play } from './play.ts';
import { recruit } from './recruitment.ts';
import { dealCards } from './setup.ts';
import type { Step } from './types.ts';

/** Runs the phase at hand and leaves the draft at the next one. */
export function* runPhase(play: Play): Asking<void> {
  const { phase } = play.draft;
  switch (phase.step as Step) {
    case 'recruit':
      yield* recruit(play);
      dealCards(play.book, play.draft, play);
      return go(play, 'setup');
    case 'setup':
      yield* deploy(play);
      return go(play, 'orders');
    default:
      must(undefined, `no phase ${phase.step}`);
  }
}

function go(play: Play, step: Step, turn = play.draft.phase.turn): void {
  play.table.moment = null;
  play.draft.phase = { n: play.draft.phase.n + 1, turn, step };
}
