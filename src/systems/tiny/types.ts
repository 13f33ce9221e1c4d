/** The words of the race: who runs, how, and what is told of it. */
import type { Order, SideId, Standing } from '../../kernel/types.ts';

export type TinyWay = 'steady' | 'fast' | 'jump';

interface TinyRun extends Order {
  verb: 'RUN';
  way: TinyWay;
}

interface TinyDoctrine extends Standing {
  verb: 'DOCTRINE';
  value: string;
}

/** The JSON types of the game. A jump is known to its runner alone, the weather to come to nobody. */
export interface Tiny {
  table: { squares: number; places: Record<SideId, number>; weather: string };
  hand: { jumps: number };
  cup: string[];
  order: TinyRun;
  standing: TinyDoctrine;
  event: { type: 'ran' | 'caught'; audience: 'all' | SideId[]; side: SideId; place: number };
  about: { place: number };
}

export const SIDES = ['red', 'blue'] as const;
export const WAYS: readonly TinyWay[] = ['steady', 'fast', 'jump'];

export const other = (side: SideId): SideId => (side === 'red' ? 'blue' : 'red');
