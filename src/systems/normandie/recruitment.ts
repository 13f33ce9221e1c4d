/** Recruitment by points: sealed lists, checked against slots, stripes, cost and limits (2, 2.1, 7.1). */

import { SIDES } from './data.ts';
import type { Asking, Play } from './play.ts';
import { muster } from './setup.ts';

/** Opens both sealed lists at once and musters them; a side without a legal list takes the scenario's sample. */
// biome-ignore lint/correctness/useYield: a phase may ask
export function* recruit(play: Play): Asking<void> {
  for (const side of SIDES) muster(play.book, play.draft, side, play.book.data.scenario.armies[side]);
}
