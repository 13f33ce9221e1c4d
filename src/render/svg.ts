/** A map as SVG for the web pages. */
import type { MapScene } from '../kernel/types.ts';
import { mapSheet } from './sheet.ts';
import { paintSvg } from './svgpaint.ts';
import type { Wording } from './words.ts';

/** Draws a scene with legend and lists as one stand-alone SVG document. */
export function renderSvg(
  scene: MapScene,
  options: { blackOnly?: boolean; footer?: string; words?: Wording } = {},
): string {
  return paintSvg(mapSheet(scene, options).sheet);
}
