/**
 * The smallest game system that uses every part of the contract, for tests and as a pattern to copy: two runners race
 * over `squares` squares. One order verb (RUN), a die for the fast way, a hidden jump in each hand, a weather deck in the
 * cup, doctrine, and a question when one runner catches the other. Its wording is in templates/en/tiny.json beside it.
 */
import { fileURLToPath } from 'node:url';
import { defineSystem } from '../../src/kernel/define.ts';
import { error, splitLine } from '../../src/kernel/orders.ts';
import { asWritten, valuesOf } from '../../src/kernel/questions.ts';
import type {
  Decision,
  DecisionRequest,
  GameState,
  OrderLine,
  Outcome,
  OwnRules,
  Parsed,
  Ruling,
  Scenario,
  SideId,
  Standing,
  Verb,
  View,
} from '../../src/kernel/types.ts';

type Way = 'steady' | 'fast' | 'jump';
interface Run {
  verb: 'RUN';
  line: number;
  way: Way;
}
interface Doctrine extends Standing {
  verb: 'DOCTRINE';
  value: string;
}
export interface Tiny {
  table: { squares: number; places: Record<SideId, number>; weather: string };
  hand: { jumps: number };
  cup: string[];
  order: Run;
  standing: Doctrine;
  event: { type: 'ran' | 'caught'; audience: 'all' | SideId[]; side: SideId; place: number };
  about: { place: number };
}

const SIDES = ['red', 'blue'] as const;
const WAYS: readonly string[] = ['steady', 'fast', 'jump'];
const other = (side: SideId): SideId => (side === 'red' ? 'blue' : 'red');

function outcomeOf({ table }: Pick<GameState<Tiny>, 'table'>): Outcome | undefined {
  const home = SIDES.filter((side) => table.places[side]! >= table.squares);
  if (home.length === 0) return undefined;
  return { winner: home.length === 2 ? 'draw' : home[0]!, reason: 'reached the last square' };
}

/** Lines to orders and doctrine; what is no order of this game is said line by line. */
function parseRace(lines: readonly OrderLine[], view: View<Tiny>): Parsed<Tiny> {
  const parsed: Parsed<Tiny> = { orders: [], standing: [], diagnostics: [] };
  for (const line of lines) {
    const [words = [], ...more] = splitLine(line)?.clauses ?? [];
    const [verb, what, value] = words.map((word) => word.upper);
    // A line is read whole or not at all.
    const whole = more.length === 0 && words.length === (verb === 'RUN' ? 2 : 3);
    const way = (what ?? '').toLowerCase();
    if (whole && verb === 'RUN' && WAYS.includes(way)) {
      if (way === 'jump' && view.hand?.jumps === 0) parsed.diagnostics.push(error('NO JUMP LEFT', line.n));
      else parsed.orders.push({ verb, line: line.n, way: way as Way });
    } else if (whole && verb === 'DOCTRINE' && what && value)
      parsed.standing.push({ verb, line: line.n, key: what, value: value.toLowerCase() });
    else parsed.diagnostics.push(error('NOT UNDERSTOOD', line.n, { text: line.text }));
  }
  return parsed;
}

/** One turn: the weather turns, both run, whoever was caught up with is asked about. */
function* runRace(
  draft: GameState<Tiny>,
  orders: Record<SideId, Run[]>,
  ruling: Ruling<Tiny>,
): Generator<DecisionRequest<Tiny>[], void, Decision[]> {
  const { places } = draft.table;
  const before = { ...places };
  draft.table.weather = draft.cup.shift() ?? 'dry';
  draft.cup.push(draft.table.weather);
  for (const side of SIDES) {
    const doctrine = ruling.standing[side]?.find((order) => order.key === 'RUN')?.value;
    const way = orders[side]?.at(-1)?.way ?? doctrine;
    let steps = way === 'steady' ? 1 : 0;
    if (way === 'fast') steps = ruling.dice.roll(`${side} runs fast`, 1, 6)[0]! > 2 ? 2 : 0;
    if (way === 'jump' && draft.hands[side]!.jumps > 0) {
      draft.hands[side]!.jumps--;
      steps = 3;
    }
    if (draft.table.weather === 'mud' && steps > 1) steps--;
    places[side] = Math.min(draft.table.squares, before[side]! + steps);
    ruling.emit({ type: 'ran', audience: 'all', side, place: places[side]! });
  }
  const place = places.red!;
  const behind = SIDES.find((side) => before[side]! < before[other(side)]!);
  if (behind && place === places.blue && place > 0 && place < draft.table.squares) {
    const [decision] = yield [
      {
        id: `capture at ${place}`,
        to: behind,
        kind: 'capture',
        about: { place },
        options: asWritten(['CAPTURE', 'PASS']),
        min: 1,
        max: 1,
        fallback: ['PASS'],
      },
    ];
    if (decision?.chosen[0] === 'CAPTURE') places[other(behind)] = 0;
    ruling.emit({ type: 'caught', audience: 'all', side: behind, place: places[other(behind)]! });
  }
  draft.phase = { n: draft.phase.n + 1, turn: draft.phase.turn + 1, step: 'run' };
}

const VERBS: Verb[] = [
  { verb: 'RUN', pattern: 'RUN STEADY|FAST|JUMP', help: { key: 'tiny.help RUN' }, clauses: [], examples: ['RUN FAST'] },
  {
    verb: 'DOCTRINE',
    pattern: 'DOCTRINE RUN way | DOCTRINE CAPTURE YES|NO|ASK',
    help: { key: 'tiny.help DOCTRINE' },
    clauses: [],
    examples: ['DOCTRINE CAPTURE ASK'],
    standing: true,
  },
];

function openTiny(scenario: Scenario): OwnRules<Tiny> {
  const { squares } = scenario.data as { squares: number };
  const rules: OwnRules<Tiny> = {
    verbs: VERBS,
    // How far somebody got shows the weather that was turned up for the turn.
    releases: { ran: ['cup'] },
    setup: (options, dice) => ({
      phase: { n: 1, turn: 1, step: 'run' },
      table: {
        squares: Number(options.squares ?? squares),
        places: { red: 0, blue: 0 },
        weather: 'dry',
      },
      hands: { red: { jumps: 1 }, blue: { jumps: 1 } },
      cup: dice.shuffle('weather deck', ['dry', 'dry', 'mud']),
    }),
    asks: (view) => (outcomeOf(view) ? [] : SIDES.map((side) => ({ side, must: true }))),
    parse: parseRace,
    print: (order) =>
      (order.verb === 'RUN' ? `RUN ${order.way}` : `DOCTRINE ${order.key} ${order.value}`).toUpperCase(),
    subjects: (order) => [`RUN ${order.way.toUpperCase()}`],
    knows: (_view, word) => WAYS.includes(word.toLowerCase()),
    parseAnswer(_view, request, lines) {
      const chosen = lines
        .map((line) => line.text.trim().toUpperCase())
        .filter((text) => valuesOf(request).includes(text));
      return chosen.length === 1 ? { chosen } : { diagnostics: [error('NOT UNDERSTOOD', 1, { text: 'the answer' })] };
    },
    check: () => [],
    preview: (view) => ({ events: [], scene: rules.scene(view, []) }),
    adjudicate: runRace,
    doctrine(_view, filed, _request, mayAsk) {
      const said = filed.standing.find((order) => order.key === 'CAPTURE')?.value;
      if (said === 'ask') return mayAsk ? 'ask' : undefined;
      return said === undefined ? undefined : { chosen: [said === 'yes' ? 'CAPTURE' : 'PASS'], by: 'doctrine' };
    },
    outcome: outcomeOf,
    scene: (view) => ({
      title: { key: 'tiny.map' },
      size: { kind: 'square', columns: [0, view.table.squares], rows: [0, 1] },
      items: SIDES.map((side, row) => ({
        kind: 'marker',
        at: [view.table.places[side]!, row],
        marker: 'objective',
        side,
      })),
      house: rules.house(view),
    }),
    report: (view, events, filed) => ({
      headline: { key: 'tiny.headline', params: { ...view.table.places, weather: view.table.weather } },
      sections: [
        {
          title: { key: 'tiny.moves' },
          lines: events.map((event) => ({
            key: `tiny.${event.type}`,
            params: { side: event.side, place: event.place },
          })),
        },
      ],
      orderForm: [`TURN ${view.phase.turn}`, ...filed.standing.map(rules.print), 'RUN STEADY', 'FINAL', 'END'],
    }),
    house: () => [],
  };
  return rules;
}

export const tiny = defineSystem<Tiny>({
  id: 'tiny',
  title: 'Race',
  prefix: 'TNY',
  rulesVersion: '1',
  scenarios: (fileNames) =>
    fileNames
      .filter((name) => name.startsWith('scenario-'))
      .map((name) => ({ id: `tiny/${name.slice(9, -5)}`, files: [name] })),
  read(id, files) {
    const [data] = Object.values(files) as { squares?: unknown }[];
    if (!Number.isInteger(data?.squares)) return { faults: [`${id}: squares must be a whole number`] };
    const sides = SIDES.map((side) => ({
      id: side,
      name: side === 'red' ? 'Red' : 'Blue',
      short: side[0]!.toUpperCase(),
    }));
    const help = { key: 'tiny.option squares' };
    const options = [{ name: 'squares', help, values: [6, 12, 1000], fallback: data!.squares as number }];
    return { scenario: { id, title: 'A race', sides, options, daysPerPhase: 3, data } };
  },
  open: openTiny,
});

/** The one scenario of the example, read as the service would read it. */
export function tinyScenario(squares = 6): Scenario {
  const read = tiny.read('tiny/race', { 'scenario-race.json': { squares } });
  if ('faults' in read) throw new Error(read.faults.join('\n'));
  return read.scenario;
}

/** The example's wording, to be laid over ours: `openWording('en', [TEMPLATES, TINY_TEMPLATES])`. */
export const TINY_TEMPLATES = fileURLToPath(new URL('./templates/', import.meta.url));
