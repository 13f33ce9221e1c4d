/**
 * Draws sample scenes of every system into ./gallery: PDF (sheet, tiles, black only), SVG and PNG, with an index page and the mails.
 *
 * Run: npm run gallery [name part]
 */
import fs from 'node:fs';
import path from 'node:path';
import { escapeXml } from '../../src/render/paint/svgpaint.ts';
import { renderPdf } from '../../src/render/sheet/pdf.ts';
import { renderPng } from '../../src/render/sheet/png.ts';
import { renderSvg } from '../../src/render/sheet/svg.ts';
import { sampleMails } from './mails.ts';
import { samples } from './scenes.ts';

const OUT = path.resolve('gallery');
const FOOTER = 'Gallery · both sides';

async function drawAll(only: string): Promise<void> {
  fs.mkdirSync(OUT, { recursive: true });
  const rows: string[] = [];
  for (const { name, what, scene } of samples().filter((sample) => sample.name.includes(only))) {
    const files: [string, Buffer | string][] = [
      [`${name}.pdf`, await renderPdf(scene, { paper: 'A3', mode: 'sheet', footer: FOOTER })],
      [`${name}-tiles.pdf`, await renderPdf(scene, { paper: 'A4', mode: 'tiles', footer: FOOTER })],
      [`${name}-black.pdf`, await renderPdf(scene, { paper: 'A3', mode: 'sheet', footer: FOOTER, blackOnly: true })],
      [`${name}.svg`, renderSvg(scene, { footer: FOOTER })],
      [`${name}.png`, await renderPng(scene, { width: 1200 })],
    ];
    fs.writeFileSync(path.join(OUT, `${name}.json`), JSON.stringify(scene));
    const links = files.map(([file, content]) => {
      fs.writeFileSync(path.join(OUT, file), content);
      return `<a href="${file}">${file}</a> ${Math.round(content.length / 1000)} kB`;
    });
    rows.push(
      `<section><h2>${escapeXml(scene.title)}</h2><p>${escapeXml(what)}</p><p>${links.join(' · ')}</p><a href="${name}.svg"><img src="${name}.png" alt="${escapeXml(scene.title)}"></a></section>`,
    );
    console.log(name);
  }
  const mails = Object.entries(sampleMails()).map(([name, mail]) => {
    fs.writeFileSync(path.join(OUT, `mail-${name}.html`), mail.html);
    fs.writeFileSync(path.join(OUT, `mail-${name}.txt`), mail.text);
    return `<li>${escapeXml(mail.subject)}: <a href="mail-${name}.html">HTML</a>, <a href="mail-${name}.txt">text</a></li>`;
  });
  const style =
    'body{font:16px Georgia,serif;margin:2em;background:#fbf8ef;color:#1d1a15}img{max-width:100%;width:800px}';
  fs.writeFileSync(
    path.join(OUT, 'index.html'),
    `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>${style}</style><h1>Gallery</h1><ul>${mails.join('')}</ul>${rows.join('\n')}</html>\n`,
  );
  console.log(`see ${path.join(OUT, 'index.html')}`);
}

await drawAll(process.argv[2] ?? '');
