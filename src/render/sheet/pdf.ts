/** A map as PDF: one sheet, or tiles with an overview for printing at home. */
import type { MapScene } from '../../kernel/types.ts';
import type { Sheet } from '../paint/drawing.ts';
import { paintPdf } from '../paint/pdfpaint.ts';
import { openWording, sheetLine, type Wording } from '../words.ts';
import { type Pages, pagesOf } from './pages.ts';
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

/**
 * Draws a map as PDF, or all the maps of a state one behind the other. Same scenes and page, same bytes. Throws on scenes
 * beyond the limits of map.ts and pages.ts.
 */
export function renderPdf(drawn: MapScene | readonly MapScene[], page: PdfPage): Promise<Buffer> {
  const words = page.words ?? openWording();
  const scenes = listOf(drawn);
  const [first] = scenes;
  const sheets: Sheet[] = [];
  const outline: Pages['outline'] = [];
  for (const scene of scenes) {
    const footer = [page.footer, sheetLine(scene, words)].filter((part) => part).join(' · ');
    const pages = pagesOf(scene, { ...page, footer, words });
    outline.push(...pages.outline.map((entry) => ({ ...entry, sheet: entry.sheet + sheets.length })));
    sheets.push(...pages.sheets);
  }
  return paintPdf(sheets, {
    title: [first?.title, first?.subtitle, page.footer].filter((part) => part).join(' · '),
    subject: [...new Set(scenes.flatMap(({ house }) => house))].join('; '),
    keywords: 'Fieldpost',
    lang: page.lang ?? 'en',
    outline,
  });
}

function listOf(drawn: MapScene | readonly MapScene[]): readonly MapScene[] {
  return 'items' in drawn ? [drawn] : drawn;
}
