/**
 * How the sides of a game look: names, colours, the shape of counters. All of it comes with the scenario, in
 * `scenarios/<system>/looks.json`; no result depends on it, so the hash of a scenario leaves it out.
 */

/** A colour as #rrggbb; a pair has the one for maps in black only second. */
export type Tint = string | readonly [colour: string, black: string];

/** Counters of squares games: a silhouette on the ground of its side in a frame of its colour. */
export interface FigureLook {
  frame: string;
  ground: Tint;
  body: string;
  helmet: string;
  /** The strip that bears the name. */
  strip: string;
  /** Order tokens: their colour, and the sign on their back. */
  token: string;
  sign: 'star' | 'bar-cross';
}

export interface SideLook {
  /** As players read it, and shortened. */
  name: string;
  short: string;
  corners: 'round' | 'square';
  /** The colour of its counters. */
  counter: Tint;
  /** Shows a nation as the counter's colour, or as a bar along its left edge (a counter with a band has its nation's colour). */
  nations: 'colour' | 'bar';
  /** Zones and regions of the side. */
  outline: string;
  /** Markers it holds, such as objectives. */
  marker: Tint;
  figure?: FigureLook;
}

interface NationLook {
  colour: Tint;
  bar?: Tint;
  /** Type on its counters, where black can't be read. */
  ink?: string;
}

export interface Looks {
  sides: Readonly<Record<string, SideLook>>;
  nations: Readonly<Record<string, NationLook>>;
  /** The counter that the legend shows states on; else the first side's. */
  sample?: { side: string; nation: string };
}

/** The file of a system's content that holds its looks. */
export const LOOKS_FILE = 'looks.json';

/** The sides of a scenario as its system's code knows them; their names come with the looks. */
export function unnamed(ids: readonly string[]): { id: string; name: string; short: string }[] {
  return ids.map((id) => ({ id, name: id, short: id }));
}

const COLOUR = /^#[0-9a-f]{6}$/;
const PAIR = 2;

type Found = (where: string, what: string) => void;
type Check = (value: unknown, where: string, found: Found) => void;

const text: Check = (value, where, found) => {
  if (typeof value !== 'string' || value.trim() === '') found(where, 'must be a text');
};
const colour: Check = (value, where, found) => {
  if (typeof value !== 'string' || !COLOUR.test(value)) found(where, 'must be a colour such as #8f9698');
};
const tint: Check = (value, where, found) => {
  if (!Array.isArray(value)) return colour(value, where, found);
  if (value.length !== PAIR) found(where, 'a pair is a colour and the one for maps in black');
  value.forEach((one, i) => {
    colour(one, `${where}.${i}`, found);
  });
};
const oneOf =
  (...words: string[]): Check =>
  (value, where, found) => {
    if (!words.includes(String(value))) found(where, `must be ${words.join(' or ')}`);
  };
const maybe =
  (check: Check): Check =>
  (value, where, found) => {
    if (value !== undefined) check(value, where, found);
  };
const shape =
  (parts: Record<string, Check>): Check =>
  (value, where, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return found(where, 'must be a record');
    for (const [key, check] of Object.entries(parts))
      check((value as Record<string, unknown>)[key], where === '' ? key : `${where}.${key}`, found);
  };
const each =
  (check: Check): Check =>
  (value, where, found) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return found(where, 'must be a record');
    for (const [key, one] of Object.entries(value)) check(one, `${where}.${key}`, found);
  };

const FIGURE = { frame: colour, ground: tint, body: colour, helmet: colour, strip: colour, token: colour };
const FILE = shape({
  sides: each(
    shape({
      name: text,
      short: text,
      corners: oneOf('round', 'square'),
      nations: oneOf('colour', 'bar'),
      counter: tint,
      outline: colour,
      marker: tint,
      figure: maybe(shape({ ...FIGURE, sign: oneOf('star', 'bar-cross') })),
    }),
  ),
  nations: maybe(each(shape({ colour: tint, bar: maybe(tint), ink: maybe(colour) }))),
  sample: maybe(shape({ side: text, nation: text })),
});

/** Reads the content of a looks file: the looks, or every fault found, each with its place. */
export function readLooks(content: unknown): { looks: Looks } | { faults: string[] } {
  const faults: string[] = [];
  FILE(content, '', (where, what) => faults.push(where === '' ? what : `${where}: ${what}`));
  if (faults.length > 0) return { faults };
  const { sides, nations = {}, sample } = content as Partial<Looks> & Pick<Looks, 'sides'>;
  if (sample && !Object.hasOwn(sides, sample.side)) return { faults: [`sample.side: ${sample.side} is no side here`] };
  return { looks: { sides, nations, ...(sample ? { sample } : {}) } };
}
