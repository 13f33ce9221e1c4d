/** Made-up maps of any size for benchmarks and tests: the same arguments give the same scene. */
import fs from 'node:fs';
import type { Looks } from '../../src/kernel/looks.ts';
import type { Cell, MapScene, SceneItem } from '../../src/kernel/types.ts';
import { drift, noise } from '../../src/render/paint/jitter.ts';

const LOOKS = JSON.parse(
  fs.readFileSync(new URL('../../scenarios/overlord/looks.json', import.meta.url), 'utf8'),
) as Looks;
const TERRAIN = ['plain', 'bocage', 'heavy-bocage', 'swamp', 'woods', 'light-bocage'] as const;
const NAMES = [
  'Évrecy',
  'Łódź',
  'Saint-Lô',
  'Győr',
  'Coutances',
  'Œuilly',
  'Žďár',
  'Bény',
  'Caen',
  'Tilly',
  'Vire',
  'Sées',
];
const SYMBOLS = [
  'infantry',
  'armor',
  'armored-infantry',
  'paratroop',
  'recon',
  'artillery',
  'engineer',
  'headquarters',
];

function neighbour([column, row]: Cell, side: number): Cell {
  const down = column % 2 === 0 ? 1 : 0;
  const steps: Cell[] = [
    [column, row - 1],
    [column + 1, row - 1 + down],
    [column + 1, row + down],
    [column, row + 1],
    [column - 1, row + down],
    [column - 1, row - 1 + down],
  ];
  return steps[side]!;
}

/** Roads that wander from the west to the east edge. */
function roads(columns: number, rows: number, count: number): SceneItem[] {
  return Array.from({ length: count }, (_, i): SceneItem => {
    const path: Cell[] = [[1 + Math.floor(noise(i, 1, 91) * (columns - 40)), 1 + Math.floor(noise(i, 2, 91) * rows)]];
    for (let step = 0; step < 39; step++) {
      const side = noise(i, step, 92) < 0.5 ? 1 : 2;
      const next = neighbour(path[path.length - 1]!, side);
      if (next[0] > columns || next[1] < 1 || next[1] > rows) break;
      path.push(next);
    }
    return { kind: 'line', feature: i % 5 === 0 ? 'primary' : 'road', path };
  });
}

/** Rivers that run south along hexsides: the two sides of each hex that face east. */
function rivers(columns: number, rows: number, hexsides: number): SceneItem[] {
  const items: SceneItem[] = [];
  for (let river = 0; items.length < hexsides; river++) {
    let column = 3 + Math.floor(noise(river, 1, 93) * (columns - 6));
    for (let row = 2; row < rows - 1 && items.length < hexsides; row++) {
      const at: Cell = [column, row];
      items.push({ kind: 'edge', a: at, b: neighbour(at, 1), feature: 'river', name: `River ${river + 1}` });
      items.push({ kind: 'edge', a: at, b: neighbour(at, 2), feature: 'river', name: `River ${river + 1}` });
      if (noise(river, row, 94) < 0.1 && column > 3) column--;
    }
  }
  return items;
}

/** A map of columns x rows hexes with so many counters, a coast in the north, towns, rivers, roads, names. */
export function syntheticScene(columns: number, rows: number, counters: number): MapScene {
  const items: SceneItem[] = [];
  const cells = columns * rows;
  const land: Cell[] = [];
  for (let column = 1; column <= columns; column++)
    for (let row = 1; row <= rows; row++) {
      const number = `${String(column).padStart(2, '0')}${String(row).padStart(2, '0')}`;
      const coast = 3 + 6 * drift(column, 0, 9, 7);
      if (row < coast) {
        items.push({ kind: 'cell', at: [column, row], terrain: 'sea', number });
        continue;
      }
      const kind = Math.floor(drift(column, row, 11, 3) * 1.2 * TERRAIN.length);
      const city = noise(column, row, 4) < 0.004;
      const hill = drift(column, row, 7, 5) > 0.8;
      land.push([column, row]);
      items.push({
        kind: 'cell',
        at: [column, row],
        terrain: city ? 'city' : (TERRAIN[kind] ?? 'bocage'),
        number,
        ...(hill ? { hill: true } : {}),
      });
    }
  items.push(...rivers(columns, rows, Math.floor(cells / 5)), ...roads(columns, rows, Math.floor(cells / 133)));
  for (let i = 0; i < Math.floor((cells * 150) / 8000); i++) {
    const at = land[Math.floor(noise(i, 3, 95) * land.length)]!;
    items.push({
      kind: 'label',
      at,
      text: `${NAMES[i % NAMES.length]} ${i + 1}`,
      style: i % 6 === 0 ? 'city' : 'village',
    });
  }
  for (let i = 0; i < counters; i++) {
    const at = land[Math.floor(noise(i, 4, 96) * land.length)]!;
    const german = i % 2 === 0;
    const formation = String(1 + (i % 97));
    const unit = String(1 + (i % 3));
    items.push({
      kind: 'counter',
      at,
      counter: {
        id: `${formation}/${unit}-${i}`,
        side: german ? 'german' : 'allied',
        nation: german ? (i % 10 === 0 ? 'SS' : 'DE') : (['US', 'BR', 'CDN'][i % 3] ?? 'US'),
        symbol: SYMBOLS[i % SYMBOLS.length]!,
        size: 'III',
        formation,
        unit,
        factors: [String(2 + (i % 9)), String(3 + (i % 6))],
        states: i % 40 === 0 ? ['isolated'] : [],
      },
    });
  }
  return {
    title: `Synthetic ${columns} x ${rows}`,
    subtitle: `${cells} hexes, ${counters} counters`,
    size: { kind: 'hex-columns', columns: [1, columns], rows: [1, rows], lowered: 'even' },
    items,
    cellMetres: 1000,
    house: ['made-up map'],
    looks: LOOKS,
  };
}
