/** A map as SVG for the web pages. */
import type { MapScene } from '../../kernel/types.ts';
import { embeddedFaces } from '../paint/subset.ts';
import { paintSvg } from '../paint/svgpaint.ts';
import { openWording, sheetLine, type Wording } from '../words.ts';
import { mapSheet } from './sheet.ts';

export interface SvgOptions {
  blackOnly?: boolean;
  footer?: string;
  words?: Wording;
  /** `embed` (the default) carries the letters within; `page` leaves the faces to the page that shows the picture. */
  fonts?: 'embed' | 'page';
}

/** Draws a scene with legend and lists as one stand-alone SVG document. */
export function renderSvg(scene: MapScene, options: SvgOptions = {}): string {
  const note = scene.sheet ? sheetLine(scene, options.words ?? openWording()) : '';
  const footer = [options.footer, note].filter((part) => part).join(' · ');
  const { sheet } = mapSheet(scene, options.footer === undefined && note === '' ? options : { ...options, footer });
  return options.fonts === 'page' ? paintSvg(sheet) : paintSvg(sheet, embeddedFaces);
}
