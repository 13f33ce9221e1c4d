import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { renderPicture, renderPng } from '../../../src/render/sheet/png.ts';
import { renderSvg } from '../../../src/render/sheet/svg.ts';
import { fixture } from '../../gallery/scenes.ts';
import { syntheticScene } from '../synthetic.ts';

const GOLDEN = new URL('../fixtures/golden.json', import.meta.url);

/** Every opened tag is closed in order; attributes are quoted. */
function wellFormed(xml: string): boolean {
  const open: string[] = [];
  for (const [tag, close, name, rest] of xml.matchAll(/<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*\/?>/g)) {
    if (close) {
      if (open.pop() !== name) return false;
    } else if (!tag.endsWith('/>')) open.push(name!);
    if (rest === undefined) return false;
  }
  return open.length === 0;
}

describe('a map as SVG', () => {
  it('is well formed and fetches nothing from anywhere', () => {
    for (const name of ['overlord-battle', 'normandie-village'] as const) {
      const svg = renderSvg(fixture(name));
      expect(wellFormed(svg.replace(/<style>.*?<\/style>/s, ''))).toBe(true);
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|<image|xlink/);
      expect([...svg.matchAll(/href="([^"]*)"/g)].every(([, target]) => target!.startsWith('#'))).toBe(true);
    }
  });

  it('keeps hostile names as text', () => {
    const scene = fixture('overlord-battle');
    scene.title = 'A & B <script>alert("x")</script>';
    scene.items.push({ kind: 'label', at: [24, 13], text: '<img src=x onerror=1>\u0007', style: 'city' });
    const svg = renderSvg(scene, { fonts: 'page' });
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('<img');
    expect(wellFormed(svg.replace(/<style>.*?<\/style>/s, ''))).toBe(true);
  });

  it('of the golden scenes has not changed unseen (BLESS=1 after looking)', () => {
    const known = JSON.parse(fs.readFileSync(GOLDEN, 'utf8')) as Record<string, string>;
    const now = Object.fromEntries(
      (['overlord-battle', 'normandie-village'] as const).map((name) => [
        name,
        createHash('sha256')
          .update(renderSvg(fixture(name), { fonts: 'page' }))
          .digest('hex'),
      ]),
    );
    if (process.env.BLESS) fs.writeFileSync(GOLDEN, `${JSON.stringify(now, null, 2)}\n`);
    else expect(now).toEqual(known);
  });
});

describe('a map as PNG', () => {
  it('has the width asked for and more than one colour', async () => {
    const png = await renderPng(syntheticScene(12, 9, 10), { width: 600 });
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(600);
    // One flat colour would deflate to almost nothing.
    expect(png.length).toBeGreaterThan(20_000);
  });

  it('for a mail has at most 256 colours, is small, and is the same a second time', async () => {
    const scene = fixture('overlord-battle');
    const picture = renderPicture(scene, { width: 564 });
    expect(picture.equals(renderPicture(scene, { width: 564 }))).toBe(true);
    expect(picture.length).toBeLessThan((await renderPng(scene, { width: 564 })).length / 2);
    const shown = await loadImage(picture);
    expect([shown.width, shown.height]).toEqual([564, picture.readUInt32BE(20)]);
    const canvas = createCanvas(shown.width, shown.height);
    const context = canvas.getContext('2d');
    context.drawImage(shown, 0, 0);
    const { data } = context.getImageData(0, 0, shown.width, shown.height);
    const colours = new Set(Array.from({ length: data.length / 4 }, (_, i) => data.subarray(4 * i, 4 * i + 3).join()));
    expect(colours.size).toBeGreaterThan(32);
    expect(colours.size).toBeLessThanOrEqual(256);
    // The red of an attack is rare, yet stays red.
    const isRed = (colour: string): boolean => {
      const [r, g, b] = colour.split(',').map(Number) as [number, number, number];
      return r > 140 && g < 70 && b < 70;
    };
    expect([...colours].some(isRed)).toBe(true);
  });
});
