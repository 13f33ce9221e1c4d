/**
 * Every colour, width and size of the maps in one place. Widths are shares of R (the corner radius of a hex) with a minimum
 * in tenths of a point; factors of `s` are shares of a counter's side.
 */
import type { Looks } from '../../kernel/looks.ts';
import type { Colour } from './drawing.ts';
import { type Liveries, liveriesOf } from './livery.ts';

export type Texture =
  | 'hedges'
  | 'hedges-light'
  | 'hedges-heavy'
  | 'tufts'
  | 'waves'
  | 'crowns'
  | 'dots'
  | 'rows'
  | 'orchard'
  | 'brush'
  | 'grass'
  | 'stones'
  | 'lines';

/** How one kind of ground is drawn. Ground of higher rank lies over ground of lower rank where their edges meet. */
export interface GroundStyle {
  name: string;
  rank: number;
  tint: Colour;
  /** Tints of single parcels within the texture. */
  parcels?: readonly Colour[];
  texture?: Texture;
  ink: Colour;
  grid: Colour;
  number: Colour;
  rim?: Colour;
  /** Water: counts as sea or lake for coasts. */
  water?: true;
}

const plain = { grid: '#a79f82', number: '#6d6450' };
const green = { grid: '#7d8460', number: '#46492f' };

const GROUNDS: readonly GroundStyle[] = [
  { name: 'plain', rank: 0, tint: '#f5efdc', ink: '#a79f82', ...plain },
  { name: 'field', rank: 2, tint: '#f1e3ae', texture: 'rows', ink: '#c0a24e', ...plain },
  { name: 'brush', rank: 3, tint: '#e6e8c8', texture: 'brush', ink: '#93a56e', ...green },
  {
    name: 'light-bocage',
    rank: 4,
    tint: '#e3e8c6',
    parcels: ['#e9edd2', '#dde4ba', '#ebe8c4'],
    texture: 'hedges-light',
    ink: '#a3b17c',
    grid: '#8b9370',
    number: '#46492f',
  },
  {
    name: 'bocage',
    rank: 5,
    tint: '#dfe4bd',
    parcels: ['#e6eac9', '#d6deaf', '#e8e5bc'],
    texture: 'hedges',
    ink: '#9fb07c',
    ...green,
  },
  {
    name: 'heavy-bocage',
    rank: 6,
    tint: '#d2dbb0',
    parcels: ['#dbe2bd', '#cad4a2', '#dcdcaf'],
    texture: 'hedges-heavy',
    ink: '#93a56e',
    grid: '#666e4a',
    number: '#46492f',
  },
  { name: 'orchard', rank: 7, tint: '#dde6b8', texture: 'orchard', ink: '#7f9a55', ...green },
  { name: 'hill', rank: 8, tint: '#e6d2a4', ink: '#8a6236', grid: '#a58f62', number: '#5f4a28' },
  {
    name: 'hill+bocage',
    rank: 9,
    tint: '#dacb92',
    parcels: ['#dcd3a0'],
    texture: 'hedges',
    ink: '#97995f',
    grid: '#85804f',
    number: '#4b4527',
  },
  {
    name: 'woods',
    rank: 10,
    tint: '#b7c894',
    texture: 'crowns',
    ink: '#93ad6d',
    rim: '#4b6333',
    grid: '#6f8050',
    number: '#2f3a1f',
  },
  { name: 'swamp', rank: 11, tint: '#d3e2d8', texture: 'tufts', ink: '#39776f', grid: '#8ba79b', number: '#3f5f58' },
  {
    name: 'flooded',
    rank: 12,
    tint: '#c6dde3',
    texture: 'waves',
    ink: '#4d8aa6',
    rim: '#4d8aa6',
    grid: '#86a9b6',
    number: '#2f5f7c',
    water: true,
  },
  {
    name: 'beach',
    rank: 13,
    tint: '#f3d98f',
    texture: 'dots',
    ink: '#8a6236',
    rim: '#8a6236',
    grid: '#b59a5b',
    number: '#5f4a28',
  },
  { name: 'rocks', rank: 13, tint: '#e0ddd3', texture: 'stones', ink: '#7b766b', grid: '#a09a8a', number: '#55503f' },
  { name: 'village', rank: 14, tint: '#efdfcb', ink: '#7c4a3c', grid: '#b49a85', number: '#5c4436' },
  { name: 'city', rank: 15, tint: '#ead3bd', ink: '#7c4a3c', rim: '#7c4a3c', grid: '#b08f79', number: '#5c4436' },
  {
    name: 'water',
    rank: 16,
    tint: '#b9d6e2',
    texture: 'waves',
    ink: '#6fa5bd',
    rim: '#3d6478',
    grid: '#98b9c9',
    number: '#4f7488',
    water: true,
  },
  { name: 'sea', rank: 17, tint: '#b4cfdc', ink: '#3d6478', grid: '#98b9c9', number: '#4f7488', water: true },
];

/** Other words for the same ground. */
const SAME: Record<string, string> = {
  clear: 'plain',
  open: 'plain',
  boccage: 'bocage',
  marsh: 'swamp',
  mud: 'swamp',
  forest: 'woods',
  wood: 'woods',
  fields: 'field',
  crops: 'field',
  town: 'city',
  building: 'city',
  stone: 'rocks',
  lake: 'water',
  pond: 'water',
  'water-barrier': 'water',
  ocean: 'sea',
  inundated: 'flooded',
  'hill+plain': 'hill',
  'hill+clear': 'hill',
  'hill+boccage': 'hill+bocage',
  'hill+light-bocage': 'hill+bocage',
  'hill+heavy-bocage': 'hill+bocage',
};

export interface Theme {
  blackOnly: boolean;
  paper: Colour;
  ink: Colour;
  muted: Colour;
  rule: Colour;
  white: Colour;
  depths: readonly Colour[];
  coast: Colour;
  water: { edge: Colour; fill: Colour; name: Colour; seaName: Colour };
  road: { edge: Colour; fill: Colour; primary: Colour; trail: Colour; rail: Colour };
  town: { ground: Colour; block: Colour; lightBlock: Colour };
  hill: Colour;
  marks: Record<string, Colour>;
  shields: Record<string, Colour>;
  ground(name: string): GroundStyle;
  /** The colours of sides and nations, as the scenario says them. */
  liveries: Liveries;
}

const MARKS: Record<string, Colour> = {
  move: '#1f4e79',
  inferred: '#3c4245',
  attack: '#b3261e',
  attackEdge: '#5a0f0a',
  retreat: '#ffe9a8',
  new: '#0b6e4f',
  lost: '#b3261e',
  disorganized: '#f28c28',
  disorganizedInk: '#2b1a08',
  range: '#b45309',
  zone: '#a8cc9f',
  zoneEdge: '#2a4f2d',
  objective: '#b3261e',
  victory: '#d9a520',
  interdiction: '#b45309',
  beachPlate: '#8a5526',
};

/** The theme in colour, or with tints off and everything else in black; `looks` colour the sides. */
export function themeOf(blackOnly = false, looks?: Looks): Theme {
  const styles = new Map<string, GroundStyle>();
  const same = (name: string): string => SAME[name] ?? name;
  const base = new Map(GROUNDS.map((style) => [style.name, style]));
  const ground = (asked: string): GroundStyle => {
    const known = styles.get(asked);
    if (known) return known;
    let style = base.get(same(asked));
    if (!style) {
      // A hill carries the texture of what grows on it, on the hill's own tint.
      const [first, second] = asked.split('+');
      const above = second === undefined ? undefined : base.get(same(second));
      const hill = base.get('hill')!;
      style =
        first === 'hill' && above
          ? { ...above, name: asked, tint: above.rank > 9 ? above.tint : hill.tint }
          : base.get('plain')!;
    }
    if (blackOnly) {
      const { parcels: _, ...rest } = style;
      const texture: Texture | undefined = style.name === 'sea' ? 'lines' : style.texture;
      // Hedges in full black would drown numbers and names.
      const ink = style.texture?.startsWith('hedges') ? '#777777' : '#000000';
      style = { ...rest, tint: '#ffffff', ink, grid: '#8c8c8c', number: '#000000' };
      if (texture) style.texture = texture;
      if (style.rim) style.rim = '#000000';
    }
    styles.set(asked, style);
    return style;
  };
  const black = <T extends Record<string, Colour>>(colours: T, except: Partial<T> = {}): T =>
    blackOnly
      ? ({ ...Object.fromEntries(Object.keys(colours).map((name) => [name, '#000000'])), ...except } as T)
      : colours;
  return {
    blackOnly,
    paper: blackOnly ? '#ffffff' : '#fbf8ef',
    ink: blackOnly ? '#000000' : '#1d1a15',
    muted: blackOnly ? '#000000' : '#5d574a',
    rule: blackOnly ? '#000000' : '#4a4538',
    white: '#ffffff',
    depths: blackOnly ? [] : ['#c2d9e3', '#d0e2e9', '#e0edf0'],
    coast: blackOnly ? '#000000' : '#3d6478',
    water: black({ edge: '#235a7c', fill: '#6fb0d2', name: '#235a7c', seaName: '#2f5f7c' }, { fill: '#ffffff' }),
    road: black(
      { edge: '#5d3f2b', fill: '#fffaf0', primary: '#e9b44c', trail: '#8a6647', rail: '#333333' },
      { fill: '#ffffff', primary: '#b0b0b0' },
    ),
    town: black(
      { ground: '#ead3bd', block: '#7c4a3c', lightBlock: '#a06b58' },
      { ground: '#ffffff', lightBlock: '#555555' },
    ),
    hill: blackOnly ? '#000000' : '#8a6236',
    marks: black(MARKS, { retreat: '#ffffff', disorganized: '#ffffff', zone: '#ffffff', victory: '#ffffff' }),
    shields: black(
      { infantry: '#f2c230', light: '#7d4aa0', heavy: '#8b9094' },
      { infantry: '#ffffff', heavy: '#999999' },
    ),
    ground,
    liveries: liveriesOf(looks, blackOnly),
  };
}

/** A line's width: share of R, not under the minimum; both in tenths of a point. */
export function lineWidth(radius: number, share: number, minimum: number): number {
  return Math.max(minimum, Math.round(share * radius));
}

/** Type is left out under this size (tenths of a point). */
export const SMALLEST_TYPE = 50;

/** Sizes of type that grow with R: the table of the look, read between its columns. */
export function typeSize(radius: number, small: number, middle: number, large: number): number {
  const r = radius / 10;
  const size = r <= 26 ? small + ((r - 15) * (middle - small)) / 11 : middle + ((r - 26) * (large - middle)) / 14;
  return Math.round(Math.min(size, large * 1.5) * 10);
}
