/** The maps and pictures that go with a mail: drawn once for each viewer of a phase, and kept. */
import { known } from '../../kernel/assert.ts';
import type { MapScene, Viewer } from '../../kernel/types.ts';
import { viewFor } from '../../kernel/view.ts';
import { MAP_CID } from '../../render/letters/letters.ts';
import { renderPdf } from '../../render/sheet/pdf.ts';
import { renderPicture, renderPng } from '../../render/sheet/png.ts';
import { renderSvg } from '../../render/sheet/svg.ts';
import { saidScene } from '../../render/words.ts';
import type { OpenScenario } from '../../scenarios.ts';
import { keepArtifact, storedArtifact } from '../../store/archive.ts';
import type { GameRow, MailOutRow, MapWish, PersonRow, PhaseRow, SeatRow } from '../../store/schema.ts';
import type { Service } from '../context.ts';
import { heardBy } from './openquestions.ts';

/** Pixels of the picture within a report: as wide as the mail shows it. */
const PICTURE_WIDTH = 564;
/** Pixels of a map that is wanted as PNG. */
const MAP_WIDTH = 2400;

export interface Composed {
  subject: string;
  text: string;
  html: string;
  /** Files; one with a `cid` is shown within the HTML. */
  attachments: { filename: string; contentType: string; content: Buffer; cid?: string }[];
}

/** Everything about the game that a mail may need, read once. */
export interface Scene {
  service: Service;
  row: MailOutRow;
  game: GameRow;
  phase: PhaseRow;
  seat: SeatRow | null;
  person: PersonRow | null;
  open: OpenScenario;
}

/**
 * The maps as the viewer may see them with the marks of the last phase, drawn once and kept: a PDF holds all of them, of
 * pictures there are as many files as sheets.
 */
export async function mapsOf(
  scene: Scene,
  viewer: Viewer,
  before: PhaseRow | null,
  footer: string,
  { format, blackOnly }: MapWish = { format: 'pdf', blackOnly: false },
): Promise<Composed['attachments']> {
  const paper = paperOf(scene);
  const words = scene.service.wording;
  const contentType = { pdf: 'application/pdf', png: 'image/png', svg: 'image/svg+xml' }[format];
  const scenes = () => mapScenes(scene, viewer, before);
  const kind = `map ${format === 'pdf' ? paper : format}${blackOnly ? ' black' : ''}`;
  const file = async (sheet: string | undefined, draw: () => Buffer | Promise<Buffer>) => ({
    filename: `${mapName(scene)}${sheet === undefined ? '' : `-${sheet}`}.${format}`,
    contentType,
    content: await drawnOnce(
      scene,
      viewer,
      { kind: sheet === undefined ? kind : `${kind} ${sheet}`, contentType },
      draw,
    ),
  });
  if (format === 'pdf')
    return [await file(undefined, () => renderPdf(scenes(), { paper, mode: 'sheet', footer, words, blackOnly }))];
  const files: Composed['attachments'] = [];
  for (const drawn of scenes())
    files.push(
      await file(drawn.sheet?.id, () =>
        format === 'svg'
          ? Buffer.from(renderSvg(drawn, { blackOnly, footer, words }))
          : renderPng(drawn, { width: MAP_WIDTH, blackOnly }),
      ),
    );
  return files;
}

/** The first map as the small picture within the mail; drawn once and kept. */
export async function pictureOf(scene: Scene, viewer: Viewer, before: PhaseRow | null) {
  const contentType = 'image/png';
  const content = await drawnOnce(scene, viewer, { kind: 'picture', contentType }, () =>
    renderPicture(known(mapScenes(scene, viewer, before)[0], 'a game has a map'), { width: PICTURE_WIDTH }),
  );
  return { filename: `${mapName(scene)}.png`, contentType, content, cid: MAP_CID };
}

function mapScenes({ service, phase, open }: Scene, viewer: Viewer, before: PhaseRow | null): MapScene[] {
  const heard = heardBy(before?.events ?? [], viewer);
  return open.rules.scenes(viewFor(phase.snapshot, viewer), heard).map((scene) => saidScene(scene, service.wording));
}

export function mapName({ game, phase }: Scene): string {
  return `${game.ref}-turn-${phase.turn}-${phase.step}`.replace(/[^\w.-]/g, '-');
}

/** What was drawn before for this viewer of this phase, else what `draw` gives, kept from now on. */
async function drawnOnce(
  { service, phase }: Scene,
  viewer: Viewer,
  { kind, contentType }: { kind: string; contentType: string },
  draw: () => Buffer | Promise<Buffer>,
): Promise<Buffer> {
  const kept = await storedArtifact(service.db, phase.id, viewer, kind);
  if (kept) return kept;
  const bytes = await draw();
  await keepArtifact(service.db, { phaseId: phase.id, viewer, kind, contentType, bytes, now: service.now() });
  return bytes;
}

export function paperOf({ person }: Scene): 'A4' | 'Letter' | 'A3' {
  return person?.paper === 'Letter' || person?.paper === 'A3' ? person.paper : 'A4';
}
