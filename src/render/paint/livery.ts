/** Colours of sides and nations as a scenario's looks say them, in colour or in black; a side they don't have is plain. */
import type { FigureLook, Looks, SideLook, Tint } from '../../kernel/looks.ts';
import type { SceneCounter } from '../../kernel/types.ts';
import type { Colour } from './drawing.ts';

/** A figure's colours, the ground they stand on, and the marks of its side. */
export interface FigureLivery extends Omit<FigureLook, 'ground'> {
  ground: Colour;
}

interface SideLivery {
  square: boolean;
  counter: Colour;
  /** Nations are bars along the left edge of counters. */
  bars: boolean;
  outline: Colour;
  marker: Colour;
  figure: FigureLivery;
}

export interface Liveries {
  /** The livery of a side; plain for one that has none. */
  side(id: string): SideLivery;
  has(id: string): boolean;
  /** The bar of a nation, for what is drawn in its colour: beach names. */
  bar(nation: string): Colour | undefined;
  /** A counter's own colour, the bar along its left edge, and its type where the theme's ink can't be read. */
  counter(counter: Pick<SceneCounter, 'side' | 'nation' | 'band' | 'column'>): {
    tint: Colour;
    bar?: Colour | undefined;
    ink?: Colour | undefined;
  };
  /** The counter that the legend shows states on. */
  sample: { side: string; nation: string };
}

const WHITE = '#ffffff';
const BLACK = '#000000';
const HELMET_IN_BLACK = '#777777';

const PLAIN_FIGURE: FigureLook = {
  frame: '#6b6452',
  ground: '#ddd6c2',
  body: '#5b5a3f',
  helmet: '#3b3b29',
  strip: '#4a4538',
  token: '#4a4538',
  sign: 'star',
};
const PLAIN: SideLook = {
  name: '',
  short: '',
  corners: 'round',
  counter: '#e4dfd0',
  nations: 'colour',
  outline: '#4a4538',
  marker: '#4a4538',
};

/** Opens looks for a map in colour or in black. */
export function liveriesOf(looks: Looks | undefined, blackOnly: boolean): Liveries {
  const fill = (tint: Tint, inBlack: Colour): Colour => {
    const [colour, black] = typeof tint === 'string' ? [tint, inBlack] : tint;
    return blackOnly ? black : colour;
  };
  const figureOf = (look: FigureLook): FigureLivery =>
    blackOnly
      ? {
          ...{ frame: BLACK, strip: BLACK, token: BLACK, body: WHITE, helmet: HELMET_IN_BLACK, sign: look.sign },
          ground: fill(look.ground, WHITE),
        }
      : { ...look, ground: fill(look.ground, WHITE) };
  const dressed = (look: SideLook): SideLivery => ({
    square: look.corners === 'square',
    counter: fill(look.counter, WHITE),
    bars: look.nations === 'bar',
    outline: blackOnly ? BLACK : look.outline,
    marker: fill(look.marker, BLACK),
    figure: figureOf(look.figure ?? PLAIN_FIGURE),
  });
  const sides = new Map(Object.entries(looks?.sides ?? {}).map(([id, look]) => [id, dressed(look)]));
  const nations = new Map(Object.entries(looks?.nations ?? {}));
  const plain = dressed(PLAIN);
  const side = (id: string): SideLivery => sides.get(id) ?? plain;
  const bar = (nation: string): Colour | undefined => {
    const look = nations.get(nation)?.bar;
    return look === undefined ? undefined : fill(look, BLACK);
  };
  return {
    side,
    bar,
    has: (id) => sides.has(id),
    counter(counter) {
      const own = side(counter.side);
      const nation = nations.get(counter.nation);
      const inColour = nation && (!own.bars || counter.band || counter.column);
      return {
        tint: inColour ? fill(nation.colour, WHITE) : own.counter,
        bar: own.bars && !counter.band ? bar(counter.nation) : undefined,
        ink: own.bars ? undefined : nation?.ink,
      };
    },
    sample: looks?.sample ?? { side: [...sides.keys()][0] ?? '', nation: '' },
  };
}
