/** A map as PDF: one sheet, or tiles with an overview for printing at home. */
import type { MapScene } from '../kernel/types.ts';
import { paintPdf } from './pdfpaint.ts';
import type { Paper } from './sheet.ts';
import { mapSheet } from './sheet.ts';

export interface PdfPage {
  paper: Paper;
  mode: 'sheet' | 'tiles';
  blackOnly?: boolean;
  footer: string;
  lang?: string;
}

/** Draws a scene as PDF. Same scene and page, same bytes. */
export function renderPdf(scene: MapScene, page: PdfPage): Promise<Buffer> {
  const sheet = mapSheet(scene, {
    paper: page.paper,
    footer: page.footer,
    ...(page.blackOnly ? { blackOnly: true } : {}),
  });
  return paintPdf([sheet], {
    title: scene.title,
    subject: scene.subtitle ?? '',
    keywords: 'map',
    lang: page.lang ?? 'en',
    outline: [{ sheet: 0, title: scene.title, level: 0 }],
  });
}
