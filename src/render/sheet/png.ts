/** A map as PNG, for the thumbnail in the mail and the picture on the page: the same ops as PDF and SVG on a canvas. */

import { type Canvas, createCanvas, GlobalFonts, Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { MapScene } from '../../kernel/types.ts';
import { C, L, M, type Op, type Paint, type Path, Q, type Sheet, type TextOp } from '../paint/drawing.ts';
import { FACES, faceFile, faceFor, textWidth } from '../paint/fonts.ts';
import { indexedPng } from '../paint/indexed.ts';
import { bareSheet } from './sheet.ts';

/** Widest picture made. */
const WIDTH_LIMIT = 6000;
const HEIGHT_LIMIT = 12_000;

let registered = false;
function registerFaces(): void {
  if (registered) return;
  for (const face of FACES) GlobalFonts.registerFromPath(faceFile(face), `fieldpost-${face}`);
  registered = true;
}

interface Brush {
  fill: string;
  stroke: string;
  width: number;
}

const shapes = new WeakMap<Path, Path2D>();
function shape(path: Path): Path2D {
  let made = shapes.get(path);
  if (made) return made;
  made = new Path2D();
  for (let i = 0; i < path.length; ) {
    const code = path[i++];
    if (code === M) made.moveTo(path[i++]!, path[i++]!);
    else if (code === L) made.lineTo(path[i++]!, path[i++]!);
    else if (code === Q) made.quadraticCurveTo(path[i++]!, path[i++]!, path[i++]!, path[i++]!);
    else if (code === C) {
      made.bezierCurveTo(path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!, path[i + 4]!, path[i + 5]!);
      i += 6;
    } else made.closePath();
  }
  shapes.set(path, made);
  return made;
}

function setLine(context: SKRSContext2D, paint: Paint): void {
  context.setLineDash(paint.dash ? [...paint.dash] : []);
  context.lineCap = paint.round ? 'round' : 'butt';
  context.lineJoin = paint.round ? 'round' : 'miter';
}

function paintText(context: SKRSContext2D, op: TextOp): void {
  if (op.text === '') return;
  const face = faceFor(op.face, op.text);
  context.save();
  context.globalAlpha *= op.opacity ?? 1;
  context.translate(op.x, op.y);
  if (op.angle) context.rotate((op.angle * Math.PI) / 180);
  context.font = `${op.size}px fieldpost-${face}`;
  context.letterSpacing = `${op.spacing ?? 0}px`;
  const width = textWidth(face, op.text, op.size, op.spacing);
  const x = op.anchor === 'middle' ? -width / 2 : op.anchor === 'end' ? -width : 0;
  if (op.halo) {
    context.lineWidth = op.halo.width;
    context.strokeStyle = op.halo.colour;
    context.lineJoin = 'round';
    context.setLineDash([]);
    context.strokeText(op.text, x, 0);
  }
  context.fillStyle = op.fill;
  context.fillText(op.text, x, 0);
  context.restore();
}

function paintPath(context: SKRSContext2D, op: Extract<Op, { op: 'path' }>, brush: Brush): void {
  const strokes = op.stroke !== undefined || op.width !== undefined;
  const alpha = context.globalAlpha;
  if (op.opacity !== undefined) context.globalAlpha = alpha * op.opacity;
  if (op.fill || !strokes) {
    context.fillStyle = op.fill ?? brush.fill;
    context.fill(shape(op.path));
  }
  if (strokes) {
    setLine(context, op);
    context.strokeStyle = op.stroke ?? brush.stroke;
    context.lineWidth = op.width ?? brush.width;
    context.stroke(shape(op.path));
  }
  context.globalAlpha = alpha;
}

function paint(context: SKRSContext2D, ops: readonly Op[], brush: Brush): void {
  for (const op of ops) {
    if (op.op === 'path') paintPath(context, op, brush);
    else if (op.op === 'text') paintText(context, op);
    else if (op.op === 'numbers')
      for (const entry of op.at)
        paintText(context, { ...op, op: 'text', x: entry.x, y: entry.y, text: entry.text, anchor: 'middle' });
    else if (op.op === 'use') {
      context.save();
      context.translate(op.x, op.y);
      if (op.angle) context.rotate((op.angle * Math.PI) / 180);
      if (op.scale) context.scale(op.scale, op.scale);
      if (op.opacity !== undefined) context.globalAlpha *= op.opacity;
      paint(context, op.symbol.ops, {
        fill: op.fill ?? brush.fill,
        stroke: op.stroke ?? brush.stroke,
        width: op.width ?? brush.width,
      });
      context.restore();
    } else if (op.op === 'clip') {
      context.save();
      if (op.shift) context.translate(op.shift[0], op.shift[1]);
      context.clip(shape(op.path));
      paint(context, op.ops, brush);
      context.restore();
    }
  }
}

/** A sheet on a canvas `width` pixels wide. */
function canvasOf(sheet: Sheet, width: number): Canvas {
  registerFaces();
  const scale = Math.min(width, WIDTH_LIMIT) / sheet.width;
  const height = Math.min(HEIGHT_LIMIT, Math.ceil(sheet.height * scale));
  const canvas = createCanvas(Math.min(width, WIDTH_LIMIT), height);
  const context = canvas.getContext('2d');
  context.fillStyle = sheet.paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.fontKerning = 'none';
  // Else letters are shaped by the locale of the machine, and the bytes differ.
  context.lang = 'en';
  paint(context, sheet.ops, { fill: '#000000', stroke: '#000000', width: 1 });
  return canvas;
}

/** Paints a sheet `width` pixels wide. */
export function paintPng(sheet: Sheet, width: number): Promise<Buffer> {
  return canvasOf(sheet, width).encode('png');
}

/** The map alone, without lists and legend, `width` pixels wide (at most `WIDTH_LIMIT`). */
export function renderPng(scene: MapScene, options: { width: number; blackOnly?: boolean }): Promise<Buffer> {
  return paintPng(bareSheet(scene, { blackOnly: options.blackOnly ?? false }), options.width);
}

/** The map alone as a small picture of at most 256 colours, for mails. */
export function renderPicture(scene: MapScene, options: { width: number }): Buffer {
  const canvas = canvasOf(bareSheet(scene, {}), options.width);
  const { width, height } = canvas;
  return indexedPng(canvas.getContext('2d').getImageData(0, 0, width, height).data, width, height);
}
