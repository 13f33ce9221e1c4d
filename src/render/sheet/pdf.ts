/** A map as PDF: one sheet, or tiles with an overview for printing at home. */
import type { MapScene } from '../../kernel/types.ts';
import { paintPdf } from '../paint/pdfpaint.ts';
import { openWording, type Wording } from '../words.ts';
import { pagesOf } from './pages.ts';
import type { Paper } from './sheet.ts';

export interface PdfPage {
  paper: Paper;
  mode: 'sheet' | 'tiles';
  blackOnly?: boolean;
  /** Game, turn, viewer. */
  footer: string;
  lang?: string;
  /** Words of legend and lists; English when not given. */
  words?: Wording;
}

/** Draws a scene as PDF. Same scene and page, same bytes. Throws on scenes beyond the limits of map.ts and pages.ts. */
export function renderPdf(scene: MapScene, page: PdfPage): Promise<Buffer> {
  const words = page.words ?? openWording();
  const { sheets, outline } = pagesOf(scene, { ...page, words });
  return paintPdf(sheets, {
    title: [scene.title, scene.subtitle, page.footer].filter((part) => part).join(' · '),
    subject: scene.house.join('; '),
    keywords: 'Fieldpost',
    lang: page.lang ?? 'en',
    outline,
  });
}
