/**
 * Paints sheets as a PDF: raw operators on a lattice of tenths of a point, symbols and repeated paths as Form XObjects,
 * subset fonts by pdfkit. Same sheets, same bytes.
 *
 * pdfkit has no public call for forms and encoded text; the few private fields used here are typed in `Inside` and pinned
 * by the exact version in package.json and by test/render/sheet/pdf.test.ts.
 */
import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import {
  boxOf,
  type NumbersOp,
  type Op,
  type Paint,
  type Path,
  type Sheet,
  type Stamp,
  type TextOp,
  type Typeface,
} from './drawing.ts';
import { faceBytes, faceFor, textWidth } from './fonts.ts';
import { pathText, rgb, short } from './pdftext.ts';

/** Most pages one file may have. */
const PAGES_LIMIT = 200;
/** Longest form nesting: stamps within stamps. */
const DEPTH_LIMIT = 8;
/** Paths shorter than this are written again rather than made a form: deflate finds them near enough. */
const FORM_FROM = 1200;
const FIXED_DATE = new Date('1944-06-06T05:30:00Z');

export interface PdfInfo {
  title: string;
  subject: string;
  keywords: string;
  lang: string;
  /** Bookmarks: sheet number (from 0) and title; a level-1 entry lies under the last level-0 one. */
  outline: { sheet: number; title: string; level: 0 | 1 }[];
}

interface Ref {
  data: Record<string, unknown>;
  compress: boolean;
  buffer: Uint8Array[];
  write(chunk: Uint8Array): void;
  end(chunk?: string): void;
}
interface Inside {
  ref(data: Record<string, unknown>): Ref;
  _font: { encode(text: string): [string[], unknown]; id: string; ref(): Ref; font: object };
  page: { dictionary: Ref; content: Ref };
}

interface State {
  fill: string;
  stroke: string;
  width: number;
  dash: string;
  cap: number;
  join: number;
  alpha: number;
}

interface Document {
  doc: PDFKit.PDFDocument & Inside;
  resources: Ref;
  fonts: Record<string, Ref>;
  forms: Record<string, Ref>;
  alphas: Record<string, Ref>;
  letters: Map<Typeface, { id: string; code: Map<string, string> }>;
  symbols: Map<Stamp, string>;
  paths: Map<Path, { uses: number; form?: string }>;
  /** Letters beyond the usual faces occur: titles then do without a face of their own, so that a file has at most six. */
  foreign: boolean;
}

const UNKNOWN: State = { fill: '', stroke: '', width: -1, dash: '?', cap: -1, join: -1, alpha: 100 };
const START: State = { fill: '', stroke: '', width: -1, dash: '', cap: 0, join: 0, alpha: 100 };

function setPaint(state: State, paint: Paint, out: string[]): void {
  if (paint.fill && state.fill !== paint.fill) {
    state.fill = paint.fill;
    out.push(`${rgb(paint.fill)} rg`);
  }
  if (paint.stroke && state.stroke !== paint.stroke) {
    state.stroke = paint.stroke;
    out.push(`${rgb(paint.stroke)} RG`);
  }
  if (paint.width !== undefined && state.width !== paint.width) {
    state.width = paint.width;
    out.push(`${short(paint.width)} w`);
  }
  const alpha = paint.opacity === undefined ? 100 : Math.round(paint.opacity * 100);
  if (state.alpha !== alpha) {
    state.alpha = alpha;
    out.push(`/A${alpha} gs`);
  }
  if (paint.stroke || paint.width !== undefined) {
    const dash = paint.dash ? paint.dash.map(short).join(' ') : '';
    if (state.dash !== dash) {
      state.dash = dash;
      out.push(`[${dash}] 0 d`);
    }
    const cap = paint.round ? 1 : 0;
    if (state.cap !== cap) {
      state.cap = cap;
      out.push(`${cap} J ${cap} j`);
      state.join = cap;
    }
  }
}

function alphaState(d: Document, opacity: number | undefined): void {
  for (const alpha of [100, opacity === undefined ? 100 : Math.round(opacity * 100)]) {
    const name = `A${alpha}`;
    if (d.alphas[name]) continue;
    const ref = d.doc.ref({ Type: 'ExtGState', ca: alpha / 100, CA: alpha / 100 });
    ref.end();
    d.alphas[name] = ref;
  }
}

/** Puts a stream's content in, deflated as well as can be; what pdfkit wrote before is dropped. */
function fill(ref: Ref, content: string): void {
  ref.buffer = [];
  ref.compress = false;
  ref.data.Length = 0;
  const plain = Buffer.from(content, 'latin1');
  const packed = deflateSync(plain, { level: 9, memLevel: 9 });
  if (packed.length + 20 < plain.length) {
    ref.data.Filter = 'FlateDecode';
    ref.write(packed);
  } else ref.write(plain);
}

function makeForm(d: Document, name: string, box: readonly number[], content: string, grain = 1): void {
  const matrix = grain === 1 ? {} : { Matrix: [grain, 0, 0, grain, 0, 0] };
  const ref = d.doc.ref({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: box.map((n) => n / grain),
    Resources: d.resources,
    ...matrix,
  });
  fill(ref, content);
  ref.end();
  d.forms[name] = ref;
}

function symbolName(d: Document, symbol: Stamp, depth: number): string {
  let name = d.symbols.get(symbol);
  if (!name) {
    name = `S${d.symbols.size}`;
    d.symbols.set(symbol, name);
    const out: string[] = [];
    paint(d, symbol.ops, { ...UNKNOWN }, out, depth + 1);
    makeForm(d, name, symbol.box, out.join('\n'));
  }
  return name;
}

function paintPath(d: Document, op: Extract<Op, { op: 'path' }>, state: State, out: string[]): void {
  if (op.opacity !== undefined) alphaState(d, op.opacity);
  // Ops of a stamp may leave their colours to the stamp: a width alone means a stroke, nothing at all a fill.
  const strokes = op.stroke !== undefined || op.width !== undefined;
  const operator = op.fill && strokes ? 'B' : strokes ? 'S' : 'f';
  const use = d.paths.get(op.path);
  const grain = op.grain ?? 1;
  if (operator === 'S' && use && use.uses > 1 && op.path.length >= FORM_FROM) {
    // Within the form the grain scales the pen too.
    setPaint(state, { ...op, ...scaledPen(op, 1 / grain) }, out);
    if (!use.form) {
      use.form = `P${Object.keys(d.forms).length}`;
      const [left, top, right, bottom] = boxOf(op.path);
      const box = [left - 400, top - 400, right + 400, bottom + 400].map((n) => Math.round(n / grain) * grain);
      makeForm(d, use.form, box, `${pathText(op.path, grain)}S`, grain);
    }
    out.push(`/${use.form} Do`);
  } else if (grain !== 1) {
    setPaint(state, { ...op, ...scaledPen(op, 1 / grain) }, out);
    out.push(`q ${grain} 0 0 ${grain} 0 0 cm\n${pathText(op.path, grain)}${operator} Q`);
  } else {
    setPaint(state, op, out);
    out.push(pathText(op.path) + operator);
  }
}

function scaledPen(op: Paint, by: number): Paint {
  if (by === 1) return {};
  return { width: op.width === undefined ? undefined : op.width * by, dash: op.dash?.map((part) => part * by) };
}

function paintUse(d: Document, op: Extract<Op, { op: 'use' }>, state: State, out: string[], depth: number): void {
  setPaint(state, op, out);
  if (op.opacity !== undefined) alphaState(d, op.opacity);
  const name = symbolName(d, op.symbol, depth);
  const scale = op.scale ?? 1;
  const angle = ((op.angle ?? 0) * Math.PI) / 180;
  const c = short(Math.cos(angle) * scale);
  const s = short(Math.sin(angle) * scale);
  const minus = short(-Math.sin(angle) * scale);
  out.push(`q ${c} ${s} ${minus} ${c} ${op.x} ${op.y} cm /${name} Do Q`);
}

function lettersOf(d: Document, face: Typeface): { id: string; code: Map<string, string> } {
  let found = d.letters.get(face);
  if (!found) {
    d.doc.font(face);
    const { id } = d.doc._font;
    d.fonts[id] = d.doc._font.ref();
    found = { id, code: new Map() };
    d.letters.set(face, found);
  }
  return found;
}

function encoded(d: Document, face: Typeface, text: string): string {
  const { code } = lettersOf(d, face);
  let out = '';
  for (const letter of text) {
    let hex = code.get(letter);
    if (hex === undefined) {
      d.doc.font(face);
      hex = d.doc._font.encode(letter)[0].join('');
      code.set(letter, hex);
    }
    out += hex;
  }
  return out;
}

function paintText(d: Document, op: TextOp, state: State, out: string[]): void {
  if (op.text === '') return;
  const face = faceOf(d, op);
  const spacing = op.spacing ?? 0;
  const width = textWidth(face, op.text, op.size, spacing);
  const shift = op.anchor === 'middle' ? width / 2 : op.anchor === 'end' ? width : 0;
  const angle = ((op.angle ?? 0) * Math.PI) / 180;
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const at = `${Math.round(op.x - c * shift)} ${Math.round(op.y - s * shift)}`;
  const turn = angle === 0 ? '1 0 0 -1' : `${short(c)} ${short(s)} ${short(s)} ${short(-c)}`;
  if (op.opacity !== undefined) alphaState(d, op.opacity);
  setPaint(
    state,
    op.halo ? { stroke: op.halo.colour, width: op.halo.width, round: true, opacity: op.opacity } : op,
    out,
  );
  setPaint(state, { fill: op.fill, opacity: op.opacity }, out);
  const show = `<${encoded(d, face, op.text)}> Tj`;
  const set = `/${lettersOf(d, face).id} ${op.size} Tf${spacing ? ` ${spacing} Tc` : ''}`;
  const plain = `${turn} ${at} Tm ${show}`;
  const halo = op.halo ? `1 Tr ${plain} 0 Tr ` : '';
  out.push(`BT ${set} ${halo}${plain}${spacing ? ' 0 Tc' : ''} ET`);
}

/** Hex numbers: runs that go straight down by the same step share one leading, so that each costs its digits only. */
function paintNumbers(d: Document, op: NumbersOp, state: State, out: string[]): void {
  if (op.at.length === 0) return;
  setPaint(state, op, out);
  const line: string[] = [`BT /${lettersOf(d, op.face).id} ${op.size} Tf`];
  let x = 0;
  let y = 0;
  let leading = 0;
  op.at.forEach((entry, i) => {
    const left = Math.round(entry.x - textWidth(op.face, entry.text, op.size) / 2);
    const show = `<${encoded(d, op.face, entry.text)}>`;
    const dx = left - x;
    const dy = entry.y - y;
    // Digits differ in width by a hair: a column keeps its left edge.
    if (i > 0 && Math.abs(dx) <= 4 && Math.abs(dy - leading) <= 1 && leading > 0) {
      line.push(`${show}'`);
      y += leading;
      return;
    }
    if (i === 0) line.push(`1 0 0 -1 ${left} ${entry.y} Tm`);
    else if (Math.abs(dx) <= 4 && dy > 0) {
      leading = dy;
      line.push(`${dy} TL`, `${show}'`);
      y += dy;
      return;
    } else line.push(`${dx} ${-dy} Td`);
    line.push(`${show}Tj`);
    x = left;
    y = entry.y;
  });
  line.push('ET');
  out.push(line.join('\n'));
}

/** Plain texts of one face, size and colour that follow each other share one text object. */
function textRun(ops: readonly Op[], from: number): TextOp[] {
  const first = ops[from]!;
  const run: TextOp[] = [];
  if (first.op !== 'text') return run;
  for (let i = from; i < ops.length; i++) {
    const op = ops[i]!;
    if (op.op !== 'text' || op.angle || op.halo || op.spacing || op.opacity !== undefined || op.text === '') break;
    if (op.face === 'serif' || op.face !== first.face || op.size !== first.size || op.fill !== first.fill) break;
    if (faceFor(op.face, op.text) !== op.face) break;
    run.push(op);
  }
  return run;
}

function paintTextRun(d: Document, run: readonly TextOp[], state: State, out: string[]): void {
  const { face, size, fill } = run[0]!;
  setPaint(state, { fill }, out);
  let x = 0;
  let y = 0;
  const parts = run.map((op, i) => {
    const width = op.anchor ? textWidth(face, op.text, size) : 0;
    const left = Math.round(op.x - (op.anchor === 'middle' ? width / 2 : width));
    const place = i === 0 ? `1 0 0 -1 ${left} ${op.y} Tm` : `${left - x} ${y - op.y} Td`;
    [x, y] = [left, op.y];
    return `${place}<${encoded(d, face, op.text)}>Tj`;
  });
  out.push(`BT /${lettersOf(d, face).id} ${size} Tf ${parts.join('\n')} ET`);
}

function paint(d: Document, ops: readonly Op[], state: State, out: string[], depth = 0): void {
  if (depth > DEPTH_LIMIT) throw new Error('symbols nested too deeply');
  for (let i = 0; i < ops.length; i++) {
    const op = ops[i]!;
    const run = textRun(ops, i);
    if (run.length > 1) {
      paintTextRun(d, run, state, out);
      i += run.length - 1;
      continue;
    }
    if (op.op === 'path') paintPath(d, op, state, out);
    else if (op.op === 'use') paintUse(d, op, state, out, depth);
    else if (op.op === 'text') paintText(d, op, state, out);
    else if (op.op === 'numbers') paintNumbers(d, op, state, out);
    else if (op.op === 'clip') {
      const shift = op.shift ? `1 0 0 1 ${op.shift[0]} ${op.shift[1]} cm ` : '';
      const g = op.grain ?? 1;
      if (g === 1) out.push(`q ${shift}${pathText(op.path)}W n`);
      else out.push(`q ${shift}${g} 0 0 ${g} 0 0 cm ${pathText(op.path, g)}W n ${1 / g} 0 0 ${1 / g} 0 0 cm`);
      paint(d, op.ops, { ...state }, out, depth);
      out.push('Q');
    }
  }
}

/** The face a text is really set in. */
function faceOf(d: Document, op: TextOp): Typeface {
  const face = faceFor(op.face, op.text);
  return face === 'serif' && d.foreign ? 'strong' : face;
}

function needsFallback(ops: readonly Op[]): boolean {
  return ops.some(
    (op) =>
      (op.op === 'text' && faceFor(op.face, op.text) === 'fallback') || (op.op === 'clip' && needsFallback(op.ops)),
  );
}

function countPaths(ops: readonly Op[], paths: Map<Path, { uses: number }>, seen: Set<Stamp>): void {
  for (const op of ops) {
    if (op.op === 'path') {
      const use = paths.get(op.path);
      if (use) use.uses++;
      else paths.set(op.path, { uses: 1 });
    } else if (op.op === 'clip') countPaths(op.ops, paths, seen);
    else if (op.op === 'use' && !seen.has(op.symbol)) {
      seen.add(op.symbol);
      countPaths(op.symbol.ops, paths, seen);
    }
  }
}

// One parsed font a face for the whole process: parsing costs more than drawing a small map.
const parsed = new Map<Typeface, object>();

function openDocument(sheets: readonly Sheet[], info: PdfInfo): Document {
  const doc = new PDFDocument({
    autoFirstPage: false,
    compress: true,
    pdfVersion: '1.7',
    lang: info.lang,
    displayTitle: true,
    info: {
      Title: info.title,
      Subject: info.subject,
      Keywords: info.keywords,
      Creator: 'Fieldpost',
      Producer: 'Fieldpost',
      CreationDate: FIXED_DATE,
      ModDate: FIXED_DATE,
    },
  }) as unknown as Document['doc'];
  for (const face of ['num', 'bold', 'sans', 'strong', 'italic', 'serif', 'fallback'] as const) {
    const source = parsed.get(face) ?? faceBytes(face);
    doc.registerFont(face, source as Buffer);
  }
  const paths: Document['paths'] = new Map();
  const seen = new Set<Stamp>();
  for (const sheet of sheets) countPaths(sheet.ops, paths, seen);
  const foreign = sheets.some((sheet) => needsFallback(sheet.ops));
  const fonts: Record<string, Ref> = {};
  const forms: Record<string, Ref> = {};
  const alphas: Record<string, Ref> = {};
  const resources = doc.ref({ ProcSet: ['PDF', 'Text'], Font: fonts, XObject: forms, ExtGState: alphas });
  return { doc, resources, fonts, forms, alphas, letters: new Map(), symbols: new Map(), paths, foreign };
}

function paintSheet(d: Document, sheet: Sheet): void {
  const { doc } = d;
  doc.addPage({ size: [sheet.width / 10, sheet.height / 10], margin: 0 });
  doc.page.dictionary.data.Resources = d.resources;
  const out = [`.1 0 0 -.1 0 ${sheet.height / 10} cm`];
  const state = { ...START };
  setPaint(state, { fill: sheet.paper }, out);
  out.push(`0 0 ${sheet.width} ${sheet.height} re f`);
  paint(d, sheet.ops, state, out);
  fill(doc.page.content, out.join('\n'));
  for (const op of sheet.ops) {
    if (op.op === 'target') doc.addNamedDestination(op.name, 'XYZ', op.x / 10, op.y / 10, null);
    else if (op.op === 'link') {
      const [left, top, right, bottom] = op.box;
      // One object instead of the two that goTo makes.
      const place = { Subtype: 'Link', Dest: new String(op.name) };
      doc.annotate(left / 10, top / 10, (right - left) / 10, (bottom - top) / 10, place as never);
    }
  }
}

/** Writes the sheets as one PDF file. Throws on more than `PAGES_LIMIT` sheets. */
export function paintPdf(sheets: readonly Sheet[], info: PdfInfo): Promise<Buffer> {
  if (sheets.length > PAGES_LIMIT) throw new Error(`a PDF of ${sheets.length} pages is refused`);
  const d = openDocument(sheets, info);
  const { doc } = d;
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  let parent = doc.outline;
  for (const [i, sheet] of sheets.entries()) {
    paintSheet(d, sheet);
    for (const entry of info.outline.filter((entry) => entry.sheet === i)) {
      const item = (entry.level === 0 ? doc.outline : parent).addItem(entry.title);
      if (entry.level === 0) parent = item;
    }
  }
  for (const face of d.letters.keys()) {
    doc.font(face);
    parsed.set(face, doc._font.font);
  }
  d.resources.end();
  doc.end();
  return done;
}
