/** A map as SVG for the web pages. */
import type { MapScene } from '../kernel/types.ts';
import { mapSheet } from './sheet.ts';
import { paintSvg } from './svgpaint.ts';

/** Draws a scene as one stand-alone SVG document. */
export function renderSvg(scene: MapScene, options: { blackOnly?: boolean; footer?: string } = {}): string {
  return paintSvg(mapSheet(scene, options));
}
