/** Web pages from templates/web/*.hbs: everything is escaped, a missing name throws, a club's own folder may replace files. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';

const WEB_TEMPLATES = fileURLToPath(new URL('../../../templates/web/', import.meta.url));

/** Folders of pages, later ones over earlier ones: ours, then `templates/web` in the data folder. */
export function webFolders(dataDir: string): string[] {
  return [WEB_TEMPLATES, path.join(dataDir, 'templates', 'web')];
}

export interface WebPages {
  /** The page of that name inside the layout, as HTML. `data` goes to both. */
  page(name: string, data: Record<string, unknown>): string;
  /** A file that is sent as it is (style sheet, script), if it is there. */
  asset(name: string): Buffer | undefined;
}

const ASSET = /^[a-z][a-z-]*\.(css|js)$/;

/** Reads the templates once; files of later folders replace those of earlier ones. `_name.hbs` is a partial. */
export function openPages(folders: readonly string[] = [WEB_TEMPLATES]): WebPages {
  const engine = Handlebars.create();
  engine.registerHelper('eq', (a: unknown, b: unknown) => a === b);
  engine.registerHelper('lines', (text: string) => String(text).split('\n'));
  engine.registerHelper('plural', (n: number, one: string, many: string) => (n === 1 ? one : many));
  const sources = new Map<string, string>();
  const assets = new Map<string, Buffer>();
  for (const folder of folders.filter((candidate) => fs.existsSync(candidate))) {
    for (const file of fs.readdirSync(folder).sort()) {
      const where = path.join(folder, file);
      if (file.endsWith('.hbs')) sources.set(file.slice(0, -'.hbs'.length), fs.readFileSync(where, 'utf8'));
      else if (ASSET.test(file)) assets.set(file, fs.readFileSync(where));
    }
  }
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  for (const [name, text] of sources) {
    if (/\{\{\{/.test(text) && name !== 'layout')
      throw new Error(`templates/web/${name}.hbs: {{{ would not be escaped`);
    if (name.startsWith('_')) engine.registerPartial(name.slice(1), text);
    else compiled.set(name, engine.compile(text, { strict: true }));
  }
  const template = (name: string): Handlebars.TemplateDelegate => {
    const found = compiled.get(name);
    if (!found) throw new Error(`no page "${name}" in templates/web`);
    return found;
  };
  return {
    page: (name, data) => template('layout')({ ...data, body: template(name)(data) }),
    asset: (name) => (ASSET.test(name) ? assets.get(name) : undefined),
  };
}
