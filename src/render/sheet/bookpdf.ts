/**
 * The campaign book: a whole game as one PDF. Text pages set here, maps as on their own sheets, a chart of what was left on
 * the map. The same book gives the same bytes.
 */
import type { MapScene } from '../../kernel/types.ts';
import { L, M, type Op, type Sheet, type Typeface } from '../paint/drawing.ts';
import { faceFor, textWidth } from '../paint/fonts.ts';
import { paintPdf } from '../paint/pdfpaint.ts';
import { themeOf } from '../paint/theme.ts';
import { sheetLine, type Wording } from '../words.ts';
import { mapSheet, PAPERS, type Paper } from './sheet.ts';

/** Pages of one book; what doesn't fit any more is left out and said so. */
const BOOK_PAGES_MAX = 190;
const LINES_MAX = 20_000;
const MARGIN = 570;
const SIZES = { title: 300, heading: 170, small: 130, text: 105, mono: 92 } as const;
const COLOURS = ['#1f4e79', '#9c1f18', '#0b6e4f', '#8a5a00'];

export interface BookText {
  kind: 'title' | 'heading' | 'small' | 'text' | 'mono';
  text: string;
}

export interface BookChapter {
  title: string;
  /** 1: under the last chapter of level 0. */
  level: 0 | 1;
  texts: BookText[];
  maps?: readonly MapScene[];
}

interface BookChart {
  title: string;
  /** Along the foot, such as turns. */
  marks: string[];
  lines: { name: string; values: number[] }[];
}

export interface PrintedBook {
  title: string;
  footer: string;
  paper: Paper;
  chapters: BookChapter[];
  chart?: BookChart;
  words: Wording;
  /** Said on the last page when the book had to be cut. */
  cut: string;
}

interface Press {
  book: PrintedBook;
  sheets: Sheet[];
  outline: { sheet: number; title: string; level: 0 | 1 }[];
  /** Where the next line goes on the last text page; undefined when there is none open. */
  y: number | undefined;
  lines: number;
}

/** Sets and paints a book. */
export function renderBook(book: PrintedBook): Promise<Buffer> {
  const press: Press = { book, sheets: [], outline: [], y: undefined, lines: 0 };
  for (const chapter of book.chapters) {
    if (press.sheets.length >= BOOK_PAGES_MAX - 2) {
      setText(press, { kind: 'heading', text: book.cut });
      break;
    }
    setChapter(press, chapter);
  }
  if (book.chart) setChart(press, book.chart);
  return paintPdf(press.sheets, {
    title: book.title,
    subject: book.footer,
    keywords: 'Fieldpost',
    lang: 'en',
    outline: press.outline,
  });
}

function setChapter(press: Press, chapter: BookChapter): void {
  if (chapter.level === 0) press.y = undefined;
  const first = press.y === undefined ? press.sheets.length : press.sheets.length - 1;
  press.outline.push({ sheet: first, title: chapter.title, level: chapter.level });
  for (const text of chapter.texts) setText(press, text);
  if (!chapter.maps) return;
  const { paper, footer, words } = press.book;
  for (const scene of chapter.maps) {
    const note = [footer, chapter.title, sheetLine(scene, words)].filter((part) => part).join(' · ');
    press.sheets.push(mapSheet(scene, { paper, footer: note, words }).sheet);
  }
  press.y = undefined;
}

/** Sets one paragraph, broken at blanks, over as many pages as it takes. */
function setText(press: Press, { kind, text }: BookText): void {
  const theme = themeOf();
  const [width, height] = PAPERS[press.book.paper].map((points) => points * 10) as [number, number];
  const size = SIZES[kind];
  const face: Typeface = kind === 'text' ? 'sans' : kind === 'mono' ? 'num' : kind === 'title' ? 'serif' : 'bold';
  const space = kind === 'text' || kind === 'mono' ? Math.round(size * 1.35) : Math.round(size * 1.7);
  for (const line of text.split('\n').flatMap((part) => broken(face, part, size, width - 2 * MARGIN))) {
    if (++press.lines > LINES_MAX || press.sheets.length > BOOK_PAGES_MAX) return;
    if (press.y === undefined || press.y + space > height - MARGIN) openPage(press, width, height);
    press.y = (press.y ?? MARGIN) + space;
    const op: Op = { op: 'text', x: MARGIN, y: press.y, text: line, face: faceFor(face, line), size, fill: theme.ink };
    if (line !== '') press.sheets.at(-1)!.ops.push(op);
  }
}

function openPage(press: Press, width: number, height: number): void {
  const theme = themeOf();
  const number = String(press.sheets.length + 1);
  const foot = { size: 80, fill: theme.muted, face: 'sans' as const };
  press.sheets.push({
    width,
    height,
    paper: theme.paper,
    title: press.book.title,
    ops: [
      { op: 'text', x: MARGIN, y: height - 300, text: press.book.footer, ...foot },
      { op: 'text', x: width - MARGIN, y: height - 300, text: number, anchor: 'end', ...foot },
    ],
  });
  press.y = MARGIN;
}

/** Lines no wider than `room`; a word that is wider is cut. */
function broken(face: Typeface, text: string, size: number, room: number): string[] {
  const lines: string[] = [];
  let line = /^ */.exec(text)![0];
  for (const word of text.trim().split(/\s+/)) {
    let left = word;
    const next = line.trim() === '' ? line + left : `${line} ${left}`;
    if (textWidth(face, next, size) <= room) {
      line = next;
      continue;
    }
    if (line.trim() !== '') lines.push(line);
    while (textWidth(face, left, size) > room && left.length > 1) {
      const fits = Math.max(1, Math.floor((left.length * room) / textWidth(face, left, size)) - 1);
      lines.push(left.slice(0, fits));
      left = left.slice(fits);
    }
    line = left;
  }
  return [...lines, line];
}

/** A line a side over the turns; sides differ by colour, dash and the name at the line's end. */
function setChart(press: Press, chart: BookChart): void {
  const theme = themeOf();
  const [width, height] = PAPERS[press.book.paper].map((points) => points * 10) as [number, number];
  press.y = undefined;
  press.outline.push({ sheet: press.sheets.length, title: chart.title, level: 0 });
  setText(press, { kind: 'heading', text: chart.title });
  const ops = press.sheets.at(-1)!.ops;
  const box = { left: MARGIN + 300, right: width - MARGIN - 700, top: 1200, bottom: Math.min(height - 1200, 5200) };
  const most = Math.max(1, ...chart.lines.flatMap((line) => line.values));
  const x = (i: number): number =>
    Math.round(box.left + ((box.right - box.left) * i) / Math.max(1, chart.marks.length - 1));
  const y = (value: number): number => Math.round(box.bottom - ((box.bottom - box.top) * value) / most);
  const label = { face: 'sans' as const, size: 80, fill: theme.ink };
  ops.push({
    op: 'path',
    path: [M, box.left, box.top, L, box.left, box.bottom, L, box.right, box.bottom],
    stroke: theme.ink,
    width: 10,
  });
  for (const value of [0, Math.round(most / 2), most])
    ops.push({ op: 'text', x: box.left - 60, y: y(value) + 25, text: String(value), anchor: 'end', ...label });
  const every = Math.ceil(chart.marks.length / 15);
  chart.marks.forEach((mark, i) => {
    if (i % every === 0) ops.push({ op: 'text', x: x(i), y: box.bottom + 130, text: mark, anchor: 'middle', ...label });
  });
  chart.lines.forEach((line, n) => {
    const colour = COLOURS[n % COLOURS.length]!;
    const path = line.values.flatMap((value, i) => [i === 0 ? M : L, x(i), y(value)]);
    if (line.values.length > 1)
      ops.push({ op: 'path', path, stroke: colour, width: 18, ...(n % 2 === 1 ? { dash: [60, 40] } : {}) });
    const last = line.values.at(-1) ?? 0;
    ops.push({
      op: 'text',
      x: x(line.values.length - 1) + 60,
      y: y(last) + 25,
      text: `${line.name} (${last})`,
      ...label,
      fill: colour,
    });
  });
}
