/** The questions that a waiting phase has put: with the facts of the rules and the view of the moment they were asked in. */
import { type Answer, adjudicate } from '../../kernel/judge.ts';
import type { Event, Filed, MapScene, Rules, SideId, View, Viewer } from '../../kernel/types.ts';
import { renderPdf } from '../../render/sheet/pdf.ts';
import { saidScene } from '../../render/words.ts';
import type { OpenScenario } from '../../scenarios.ts';
import type { Reader } from '../../store/db.ts';
import { requestsOf } from '../../store/orders.ts';
import type { GameRow, PhaseRow, RequestRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { gameDice } from '../keys.ts';

export interface PutQuestions {
  /** Those of the last halt: earlier answers have been played on from and stand. */
  rows: RequestRow[];
  /** By side that is asked. */
  views: Record<SideId, View>;
}

/** Questions of the last stop. Those put before stops were numbered belong together by their time. */
function ofLastHalt(all: readonly RequestRow[]): RequestRow[] {
  const haltOf = (row: RequestRow): number => row.halt ?? -row.asked_at.getTime();
  const last = all.at(-1);
  return last ? all.filter((row) => haltOf(row) === haltOf(last)) : [];
}

const NOTHING: PutQuestions = { rows: [], views: {} };

/**
 * The questions at which a phase waits now; none when it does not. A phase that stopped before questions had facts and a
 * view is run once more to the same point: its orders, answers and dice are on record.
 */
export async function putQuestions(
  service: Pick<Service, 'secret'>,
  db: Reader,
  table: { game: Pick<GameRow, 'id' | 'ref' | 'settings'>; phase: PhaseRow; rules: Rules },
): Promise<PutQuestions> {
  const { game, phase, rules } = table;
  if (phase.status !== 'waiting') return NOTHING;
  const all = await requestsOf(db, phase.id);
  const rows = ofLastHalt(all);
  if (phase.views) return { rows, views: phase.views };
  if (!phase.inputs) return NOTHING;
  const answers: Record<string, Answer> = {};
  for (const row of all)
    if (!rows.includes(row)) answers[row.request_id] = { chosen: row.chosen ?? [], by: row.decided_by ?? 'fallback' };
  const dice = await gameDice(service, db, game, phase.snapshot.phase);
  const input = { state: phase.snapshot, ...phase.inputs, answers, version: phase.rules_version };
  const again = adjudicate(rules, input, dice);
  if (again.status !== 'waiting') return NOTHING;
  return {
    rows: rows.flatMap((row) => {
      const body = again.requests.find(({ id }) => id === row.request_id);
      return body ? [{ ...row, body }] : [];
    }),
    views: again.views,
  };
}

/** Events that this viewer hears of. */
export function heardBy(events: readonly Event[], viewer: Viewer): Event[] {
  return events.filter((event) => event.audience === 'all' || event.audience.includes(viewer));
}

/** What has happened up to the question, as its side hears it: a paragraph a section; empty when nothing has. */
export function toldSoFar(
  { wording }: Pick<Service, 'wording'>,
  { phase, open }: { phase: PhaseRow; open: OpenScenario },
  view: View,
): string[] {
  const heard = heardBy(phase.events ?? [], view.viewer);
  if (heard.length === 0) return [];
  const filed: Filed = phase.inputs?.filed[view.viewer] ?? { orders: [], standing: [] };
  const told = open.rules.report(view, heard, filed).sections.flatMap(({ title, lines }) => {
    const said = lines.map((line) => wording.say(line));
    return said.length === 0 ? [] : [[wording.say(title), ...said].join('\n')];
  });
  return [wording.say({ key: 'post.question so far' }), ...told];
}

/** The maps of the moment at which a side is asked. */
export function scenesOfMoment(
  { wording }: Pick<Service, 'wording'>,
  { phase, open }: { phase: PhaseRow; open: OpenScenario },
  view: View,
): MapScene[] {
  const scenes = open.rules.scenes(view, heardBy(phase.events ?? [], view.viewer));
  return scenes.map((scene) => saidScene(scene, wording));
}

/** What has happened up to the question and the map of that moment, for its mail; a drawing may fail. */
export async function momentOf(
  service: Service,
  table: { game: GameRow; phase: PhaseRow; open: OpenScenario },
  view: View,
  look: { paper: 'A4' | 'Letter' | 'A3'; footer: string; name: string },
): Promise<{ told: string[]; map: { filename: string; contentType: string; content: Buffer }[] }> {
  const scenes = scenesOfMoment(service, table, view);
  const page = { paper: look.paper, mode: 'sheet', footer: look.footer, words: service.wording } as const;
  const map = await renderPdf(scenes, page)
    .then((content) => [{ filename: look.name, contentType: 'application/pdf', content }])
    .catch((problem: unknown) => {
      service.log.error(
        { game: table.game.ref, phase: table.phase.id, why: String(problem) },
        'a map could not be drawn',
      );
      return [];
    });
  return { told: toldSoFar(service, table, view), map };
}
