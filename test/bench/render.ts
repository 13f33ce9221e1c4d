/**
 * Drawing budget: every full-map PDF against the same items drawn naively with pdfkit, one path and one text at a time.
 * Two naive rivals: `same` draws exactly our drawing (every stamp drawn out in full), `plain` draws the scene's items the simplest
 * way (flat hexes, one stroke a hexside, one text a number, a box and texts a counter) and so draws far less.
 *
 * Run: npx tsx test/bench/render.ts [runs] [part of a map's name]
 */
import fs from 'node:fs';
import PDFDocument from 'pdfkit';
import type { MapScene } from '../../src/kernel/types.ts';
import {
  ARGUMENTS,
  C,
  L,
  M,
  type Op,
  type Paint,
  type Path,
  placed,
  Q,
  type Sheet,
} from '../../src/render/paint/drawing.ts';
import { faceFile, faceFor, textWidth } from '../../src/render/paint/fonts.ts';
import { layGrid } from '../../src/render/paint/grid.ts';
import { paintPdf } from '../../src/render/paint/pdfpaint.ts';
import { themeOf } from '../../src/render/paint/theme.ts';
import { pagesOf } from '../../src/render/sheet/pages.ts';
import { renderPdf } from '../../src/render/sheet/pdf.ts';
import { renderPng } from '../../src/render/sheet/png.ts';
import { renderSvg } from '../../src/render/sheet/svg.ts';
import { openWording } from '../../src/render/words.ts';
import { syntheticScene } from '../render/synthetic.ts';

type Doc = PDFKit.PDFDocument;

function open(): { doc: Doc; done: Promise<Buffer> } {
  const doc = new PDFDocument({ autoFirstPage: false, info: { CreationDate: new Date(0) } });
  for (const face of ['num', 'bold', 'sans', 'strong', 'italic', 'serif', 'fallback'] as const)
    doc.registerFont(face, faceFile(face));
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
  });
  return { doc, done };
}

function trace(doc: Doc, path: Path): void {
  for (let i = 0; i < path.length; ) {
    const code = path[i++]!;
    const at = (k: number): number => path[i + k]! / 10;
    if (code === M) doc.moveTo(at(0), at(1));
    else if (code === L) doc.lineTo(at(0), at(1));
    else if (code === Q) doc.quadraticCurveTo(at(0), at(1), at(2), at(3));
    else if (code === C) doc.bezierCurveTo(at(0), at(1), at(2), at(3), at(4), at(5));
    else doc.closePath();
    i += ARGUMENTS[code as 0];
  }
}

interface Placing {
  x: number;
  y: number;
  angle: number;
  scale: number;
  inherited: Paint;
}

function draw(doc: Doc, ops: readonly Op[], at: Placing): void {
  for (const op of ops) {
    if (op.op === 'path') {
      const path =
        at.x || at.y || at.angle || at.scale !== 1 ? placed(op.path, at.x, at.y, at.angle, at.scale) : op.path;
      trace(doc, path);
      const strokes = op.stroke !== undefined || op.width !== undefined;
      const fill = op.fill ?? (strokes ? undefined : at.inherited.fill) ?? '#000000';
      const stroke = op.stroke ?? at.inherited.stroke ?? '#000000';
      if (strokes) {
        doc.lineWidth((op.width ?? 1) / 10);
        if (op.dash) doc.dash(op.dash[0]! / 10, { space: (op.dash[1] ?? op.dash[0]!) / 10 });
        else doc.undash();
      }
      if (op.fill && strokes) doc.fillAndStroke(fill, stroke);
      else if (strokes) doc.stroke(stroke);
      else doc.fill(fill);
    } else if (op.op === 'use')
      draw(doc, op.symbol.ops, { x: op.x, y: op.y, angle: op.angle ?? 0, scale: op.scale ?? 1, inherited: op });
    else if (op.op === 'clip') {
      doc.save();
      if (op.shift) doc.translate(op.shift[0] / 10, op.shift[1] / 10);
      trace(doc, op.path);
      doc.clip();
      draw(doc, op.ops, at);
      doc.restore();
    } else if (op.op === 'text' && op.text !== '') {
      const face = faceFor(op.face, op.text);
      const width = textWidth(face, op.text, op.size) / 10;
      doc.save();
      doc.translate(op.x / 10, op.y / 10 - op.size / 10);
      if (op.angle) doc.rotate(op.angle);
      doc
        .font(face)
        .fontSize(op.size / 10)
        .fillColor(op.fill);
      const left = op.anchor === 'middle' ? -width / 2 : op.anchor === 'end' ? -width : 0;
      doc.text(op.text, left, 0, { lineBreak: false });
      doc.restore();
    } else if (op.op === 'numbers')
      for (const { x, y, text } of op.at) {
        const width = textWidth(op.face, text, op.size) / 10;
        doc
          .font(op.face)
          .fontSize(op.size / 10)
          .fillColor(op.fill);
        doc.save();
        doc.translate(x / 10 - width / 2, (y - op.size) / 10);
        doc.text(text, 0, 0, { lineBreak: false });
        doc.restore();
      }
  }
}

/** Exactly our pages, drawn with pdfkit's own calls. */
async function naiveSame(sheets: readonly Sheet[]): Promise<Buffer> {
  const { doc, done } = open();
  for (const sheet of sheets) {
    doc.addPage({ size: [sheet.width / 10, sheet.height / 10], margin: 0 });
    doc.rect(0, 0, sheet.width / 10, sheet.height / 10).fill(sheet.paper);
    draw(doc, sheet.ops, { x: 0, y: 0, angle: 0, scale: 1, inherited: {} });
  }
  doc.end();
  return done;
}

/** The scene's items in the simplest way on one page of the same scale. */
async function naivePlain(scene: MapScene, radius: number): Promise<Buffer> {
  const { doc, done } = open();
  const grid = layGrid(scene.size, radius);
  const theme = themeOf();
  const [, , right, bottom] = grid.box;
  doc.addPage({ size: [right / 10 + 40, bottom / 10 + 40], margin: 0 });
  const write = (text: string, x: number, y: number, size: number, face: string): void => {
    doc.save();
    doc.font(face).fontSize(size);
    doc.translate(x, y);
    doc.fillColor('#1d1a15').text(text, 0, 0, { lineBreak: false });
    doc.restore();
  };
  for (const item of scene.items) {
    if (item.kind === 'cell') {
      const key = grid.key(item.at[0], item.at[1]);
      const corners = Array.from(
        { length: grid.sides },
        (_, i) => grid.point(grid.corner(key, i)).map((n) => n / 10) as [number, number],
      );
      doc
        .polygon(...corners)
        .lineWidth(0.3)
        .fillAndStroke(theme.ground(item.terrain).tint, '#a79f82');
      const [x, y] = grid.centre(item.at);
      if (item.number) write(item.number, x / 10 - 5, (y - radius * 0.85) / 10, 5, 'num');
    } else if (item.kind === 'edge') {
      const key = grid.key(item.a[0], item.a[1]);
      const side = grid.sideTowards(key, grid.key(item.b[0], item.b[1]));
      if (side < 0) continue;
      const [a, b] = [grid.point(grid.corner(key, side)), grid.point(grid.corner(key, side + 1))];
      doc
        .moveTo(a[0] / 10, a[1] / 10)
        .lineTo(b[0] / 10, b[1] / 10)
        .lineWidth(2.5)
        .stroke('#235a7c');
    } else if (item.kind === 'line') {
      item.path.map(grid.centre).forEach(([x, y], i) => {
        if (i === 0) doc.moveTo(x / 10, y / 10);
        else doc.lineTo(x / 10, y / 10);
      });
      doc.lineWidth(1.5).stroke('#5d3f2b');
    } else if (item.kind === 'label') {
      const [x, y] = grid.centre(item.at);
      write(item.text, x / 10 + 4, y / 10, 7, 'sans');
    } else if (item.kind === 'counter') {
      const [x, y] = grid.centre(item.at).map((n) => n / 10) as [number, number];
      const s = (radius * 1.2) / 10;
      const [left, top] = [x - s / 2, y - s / 2];
      doc
        .roundedRect(left, top, s, s, 1)
        .lineWidth(0.5)
        .fillAndStroke(item.counter.side === 'german' ? '#8f9698' : '#ecdcae', '#1d1a15');
      doc
        .rect(x - s / 4, y - s * 0.2, s / 2, s * 0.3)
        .lineWidth(0.5)
        .stroke('#1d1a15');
      doc
        .moveTo(x - s / 4, y - s * 0.2)
        .lineTo(x + s / 4, y + s * 0.1)
        .stroke();
      doc
        .moveTo(x - s / 4, y + s * 0.1)
        .lineTo(x + s / 4, y - s * 0.2)
        .stroke();
      write(item.counter.factors.join('-'), left + s * 0.2, y + s * 0.15, s * 0.3, 'bold');
      write(item.counter.formation, left + s * 0.2, top, s * 0.25, 'num');
    }
  }
  doc.end();
  return done;
}

/** Median processor milliseconds of several runs (fair on a busy machine), and the last result. */
async function timed<T>(runs: number, job: () => Promise<T> | T): Promise<{ ms: number; result: T }> {
  const times: number[] = [];
  let result = await job();
  for (let i = 0; i < runs; i++) {
    const start = process.cpuUsage();
    result = await job();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  times.sort((a, b) => a - b);
  return { ms: Math.round(times[Math.floor(times.length / 2)]!), result };
}

/** Prints one line for each map and way of drawing it; `only` picks maps by a part of their name. */
export async function benchRender(runs: number, only = ''): Promise<void> {
  const words = openWording();
  const fixture = (name: string): MapScene =>
    JSON.parse(fs.readFileSync(new URL(`../render/fixtures/${name}.json`, import.meta.url), 'utf8')) as MapScene;
  const maps: [string, MapScene, ('sheet' | 'tiles')[]][] = [
    ['Overlord, 1,176 hexes', fixture('overlord-setup'), ['sheet', 'tiles']],
    ['Day of Days A, 2,170 hexes', fixture('dayofdays-a'), ['sheet']],
    ['board of 14 x 14 squares', fixture('normandie-village'), ['sheet']],
    ['synthetic, 2,000 hexes, 500 counters', syntheticScene(50, 40, 500), ['sheet', 'tiles']],
    ['synthetic, 8,000 hexes, 1,500 counters', syntheticScene(100, 80, 1500), ['sheet', 'tiles']],
  ];
  const line = (what: string, pages: string | number, ms: number, bytes: number): void =>
    console.log(
      `${what.padEnd(52)} ${String(pages).padStart(5)} pages ${String(ms).padStart(6)} ms ${String(bytes).padStart(9)} bytes`,
    );
  for (const [name, scene, modes] of maps.filter(([title]) => title.includes(only))) {
    console.log(`\n${name}`);
    for (const mode of modes) {
      const page = { paper: 'A4', mode, footer: 'GAME OVL-0001, turn 1, both sides' } as const;
      const { sheets } = pagesOf(scene, { ...page, words });
      const ours = await timed(runs, () => renderPdf(scene, page));
      const again = await renderPdf(scene, page);
      line(`  ours, ${mode}`, sheets.length, ours.ms, ours.result.length);
      if (mode === 'tiles') {
        const tiles = sheets.filter((sheet) =>
          sheet.ops.some((op) => op.op === 'target' && op.name.startsWith('tile-')),
        );
        const bare = await paintPdf(tiles, { title: name, subject: '', keywords: '', lang: 'en', outline: [] });
        line('  ours, tiles without overview and lists', tiles.length, 0, bare.length);
      }
      if (!again.equals(ours.result)) throw new Error(`${name}: not the same bytes on a second run`);
      const layout = await timed(Math.min(runs, 3), () => pagesOf(scene, { ...page, words }).sheets.length);
      const same = await timed(Math.min(runs, 2), () => naiveSame(sheets));
      line(`  pdfkit, the same drawing (+ ${layout.ms} ms to lay it out)`, sheets.length, same.ms, same.result.length);
      if (mode === 'sheet') {
        const plain = await timed(Math.min(runs, 2), () => naivePlain(scene, 200));
        line('  pdfkit, plain items', 1, plain.ms, plain.result.length);
      }
    }
    const svg = await timed(runs, () => renderSvg(scene));
    line('  SVG', 1, svg.ms, svg.result.length);
    const png = await timed(Math.min(runs, 2), () => renderPng(scene, { width: 1200 }));
    line('  PNG, 1,200 pixels wide', 1, png.ms, png.result.length);
  }
}

if (process.argv[1]?.endsWith('render.ts')) await benchRender(Number(process.argv[2] ?? 5), process.argv[3]);
