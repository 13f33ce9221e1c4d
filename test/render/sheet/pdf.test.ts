import { describe, expect, it } from 'vitest';
import { renderPdf } from '../../../src/render/sheet/pdf.ts';
import { fixture } from '../../gallery/scenes.ts';
import { syntheticScene } from '../synthetic.ts';
import { hasTool, onPdf } from '../tools.ts';

const page = { paper: 'A4', mode: 'sheet', footer: 'OVL-0417, turn 1, both sides' } as const;

describe('a map as PDF', () => {
  it('is the same bytes whenever the same scene is drawn', async () => {
    const scene = fixture('overlord-setup');
    const first = await renderPdf(scene, page);
    const second = await renderPdf(structuredClone(scene), page);
    expect(second.equals(first)).toBe(true);
  });

  it('of the whole Overlord map stays under 200,000 bytes', async () => {
    const pdf = await renderPdf(fixture('overlord-setup'), page);
    expect(pdf.length).toBeLessThan(200_000);
  });

  it('is valid for qpdf, on one sheet, on tiles and in black', async () => {
    if (!hasTool('qpdf')) return;
    for (const options of [page, { ...page, mode: 'tiles' as const }, { ...page, blackOnly: true }]) {
      const pdf = await renderPdf(fixture('overlord-battle'), options);
      expect(onPdf(pdf, 'qpdf', ['--check', '@'])).toContain('No syntax or stream encoding errors');
    }
  });

  it('holds names, hex numbers, unit ids and the footer as text that can be searched', async () => {
    if (!hasTool('pdftotext')) return;
    const text = onPdf(await renderPdf(fixture('overlord-setup'), page), 'pdftotext', ['-layout', '@', '-']);
    for (const wanted of [
      'Barneville',
      'CHERBOURG',
      '2813',
      '4117',
      'DE12SS/1',
      'OVL-0417, turn 1, both sides',
      'Périers',
    ])
      expect(text).toContain(wanted);
  });

  it('embeds subsets of at most six faces and says title and language', async () => {
    if (!hasTool('pdffonts') || !hasTool('pdfinfo')) return;
    const pdf = await renderPdf(fixture('overlord-setup'), { ...page, lang: 'fr' });
    const fonts = onPdf(pdf, 'pdffonts', ['@']).trim().split('\n').slice(2);
    expect(fonts.length).toBeGreaterThan(2);
    expect(fonts.length).toBeLessThanOrEqual(6);
    for (const line of fonts) expect(line).toMatch(/^[A-Z]{6}\+.* yes +yes +yes /);
    expect(onPdf(pdf, 'pdfinfo', ['@'])).toMatch(/Title: +Overlord/);
    expect(pdf.toString('latin1')).toContain('/Lang (fr)');
  });

  it('sets letters that the face lacks in the fallback face', async () => {
    if (!hasTool('pdftotext')) return;
    const scene = fixture('overlord-battle');
    scene.items.push({ kind: 'label', at: [25, 14], text: 'Żółć Կան', style: 'city' });
    const pdf = await renderPdf(scene, page);
    expect(onPdf(pdf, 'pdftotext', ['@', '-'])).toContain('ŻÓŁĆ ԿԱՆ');
    const fonts = onPdf(pdf, 'pdffonts', ['@']);
    expect(fonts).toContain('DejaVu');
    expect(fonts.trim().split('\n').length - 2).toBeLessThanOrEqual(6);
  });

  it('on tiles has an overview, every hex number on some tile, bookmarks and links that lead somewhere', async () => {
    if (!hasTool('pdftotext') || !hasTool('qpdf')) return;
    const scene = syntheticScene(18, 14, 30);
    const pdf = await renderPdf(scene, { ...page, mode: 'tiles' });
    const text = onPdf(pdf, 'pdftotext', ['-raw', '@', '-']);
    const numbers = new Set(text.match(/\b\d{4}\b/g));
    const missing = scene.items.filter((item) => item.kind === 'cell' && item.number && !numbers.has(item.number));
    // A number may lie under a town's name plate.
    expect(missing.length).toBeLessThan(12);
    const plain = onPdf(pdf, 'qpdf', ['--qdf', '--object-streams=disable', '@', '-']);
    const targets = new Set([...plain.matchAll(/^ +\((at-[\d.-]+|tile-\w+|overview|lists)\)$/gm)].map((m) => m[1]));
    const links = [...plain.matchAll(/\/Dest \(([^)]+)\)/g)].map((m) => m[1]!);
    expect(links.length).toBeGreaterThan(20);
    for (const link of links) expect(targets.has(link), link).toBe(true);
    expect(plain).toContain('/Outlines');
  });

  it('refuses a scene beyond its limits', async () => {
    const scene = fixture('overlord-battle');
    const item = scene.items[0]!;
    expect(() => renderPdf({ ...scene, items: Array.from({ length: 100_001 }, () => item) }, page)).toThrow(/refused/);
  });
});
