/** Set-up: sealed deployment, Concealed markers, scout moves (6.1-c, 6.5-scout, 7.4-concealed). */
import type { Asking, Play } from './play.ts';

/** Places both armies, then makes the scout moves, initiative player first. Units not placed stand where there is room. */
export function* deploy(_play: Play): Asking<void> {}
