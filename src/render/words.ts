/**
 * Wording. Every word a player or the game master reads stands in templates/<language>/*.json as key -> handlebars text,
 * one file a system plus `kernel` and `service`; a club lays a folder of its own beside ours and changes only what it likes.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Handlebars from 'handlebars';
import { Fault } from '../kernel/assert.ts';
import type { Diagnostic, DieRoll, MapScene, Param, SceneItem, Text, Words } from '../kernel/types.ts';

export const TEMPLATES = fileURLToPath(new URL('../../templates/', import.meta.url));

/** Folders that wording and layouts are read from, later ones over earlier ones: ours, then `templates` in the data folder. */
export function templateFolders(dataDir: string): string[] {
  return [TEMPLATES, path.join(dataDir, 'templates')];
}

/** Turns keys and parameters into text. Unknown keys are our fault and throw. */
export interface Wording {
  say(words: Words): string;
  /** The wording of a diagnostic of a system (falls back on the kernel's codes). */
  complain(system: string, diagnostic: Diagnostic): string;
  has(key: string): boolean;
}

/** A code as players are told it: words in capitals. */
const CODE_WORDS = /\b[A-Z][A-Z0-9]*(?: [A-Z][A-Z0-9]*)*\b/g;

/** Reads a language; files of later folders override keys of earlier ones. Text output: nothing is escaped. */
export function openWording(language = 'en', folders: readonly string[] = [TEMPLATES]): Wording {
  const texts = new Map<string, string>();
  for (const folder of folders) {
    const dir = path.join(folder, language);
    if (!fs.existsSync(dir)) continue;
    for (const file of fs.readdirSync(dir).sort()) {
      if (!file.endsWith('.json')) continue;
      const name = file.slice(0, -'.json'.length);
      for (const [key, text] of wordingFile(path.join(dir, file))) texts.set(`${name}.${key}`, text);
    }
  }
  const compiled = new Map<string, (params: Record<string, string | number | boolean>) => string>();
  const engine = Handlebars.create();
  engine.registerHelper('plural', (n: number, one: string, many: string) => (n === 1 ? one : many));
  engine.registerHelper('list', (items: readonly string[] | string) =>
    typeof items === 'string' ? items : items.join(', '),
  );
  // {{named "normandie.face" face}}: the wording of a code word, the word itself where it has none.
  engine.registerHelper('named', (prefix: string, value: Param) => texts.get(`${prefix} ${value}`) ?? String(value));
  // {{#comment}}…{{/comment}}: a comment of an order form, folded where it is long.
  engine.registerHelper('comment', function (this: unknown, options: Handlebars.HelperOptions) {
    return foldedComment(options.fn(this));
  });
  // {{worded "system.why" text}}: words in capitals that have a wording of their own there (`system.why OCCUPIED`) say that.
  engine.registerHelper('worded', (prefix: string, text: string) =>
    text.replace(CODE_WORDS, (code) => texts.get(`${prefix} ${code}`) ?? code),
  );
  const has = (key: string): boolean => texts.has(key);
  const shownParam = (value: Param): string | number | boolean => {
    if (typeof value !== 'object') return value;
    return 'key' in value ? say(value) : value.map((each) => (typeof each === 'string' ? each : say(each))).join(', ');
  };
  const say = (words: Words): string => {
    let template = compiled.get(words.key);
    if (!template) {
      const text = texts.get(words.key);
      if (text === undefined) throw new Error(`no wording for "${words.key}" in templates/${language}`);
      template = engine.compile(text, { noEscape: true, strict: true });
      compiled.set(words.key, template);
    }
    const params: Record<string, string | number | boolean> = {};
    for (const [name, value] of Object.entries(words.params ?? {})) params[name] = shownParam(value);
    return template(params);
  };
  const wording: Wording = {
    say,
    has,
    complain(system, diagnostic) {
      const own = `${system}.${diagnostic.code}`;
      return say({ key: has(own) ? own : `kernel.${diagnostic.code}`, params: diagnostic.params });
    },
  };
  origins.set(wording, { language, folders });
  return wording;
}

/** The texts of some files as they are written, in all languages of the folders: file, key and text. */
export function wordingTexts(
  names: readonly string[],
  folders: readonly string[] = [TEMPLATES],
): [name: string, key: string, text: string][] {
  return folders
    .flatMap((folder) => (fs.existsSync(folder) ? fs.readdirSync(folder).map((each) => path.join(folder, each)) : []))
    .flatMap((language) => names.map((name) => ({ name, file: path.join(language, `${name}.json`) })))
    .filter(({ file }) => fs.existsSync(file))
    .flatMap(({ name, file }) =>
      [...wordingFile(file)].map(([key, text]): [string, string, string] => [name, key, text]),
    );
}

/** A text as it is shown: words are said, a name stays as it is. */
export function shown(text: Text, wording: Pick<Wording, 'say'>): string {
  return typeof text === 'string' ? text : wording.say(text);
}

/** A roll as it is listed: what the dice showed, or the card that was turned. `die` is empty for a card. */
export function saidRoll(roll: DieRoll, wording: Pick<Wording, 'say'>): { die: string; rolls: string } {
  if (roll.drawn) return { die: '', rolls: wording.say({ key: 'service.card turned', params: { ...roll.drawn } }) };
  return { die: `d${roll.sides}`, rolls: roll.rolls.join(' ') };
}

/** An order form of the rules as lines to be sent; a comment may fold into several. */
export function saidForm(form: readonly Text[], wording: Pick<Wording, 'say'>): string[] {
  return form.flatMap((line) => shown(line, wording).split('\n'));
}

/** Longest line of a folded comment: mail programs wrap what is longer, and half a comment would be read as an order. */
const COMMENT_MAX = 72;

/** A comment in lines short enough; the lines after the first are indented. */
function foldedComment(text: string): string {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > COMMENT_MAX) {
      lines.push(line);
      line = '#  ';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

/** A map of the rules with every text said, ready to be drawn. */
export function saidScene(scene: MapScene<Text>, wording: Pick<Wording, 'say'>): MapScene {
  const say = (text: Text): string => shown(text, wording);
  const { title, subtitle, sheet, items, panels, legend, house, credits, ...rest } = scene;
  return {
    ...rest,
    title: say(title),
    ...(subtitle === undefined ? {} : { subtitle: say(subtitle) }),
    ...(sheet === undefined ? {} : { sheet: { ...sheet, name: say(sheet.name) } }),
    items: items.map((item) => saidItem(item, say)),
    ...(panels === undefined
      ? {}
      : {
          panels: panels.map((panel) => ({
            title: say(panel.title),
            columns: panel.columns.map(say),
            rows: panel.rows.map((row) => ({ ...row, cells: row.cells.map(say) })),
          })),
        }),
    ...(legend === undefined ? {} : { legend: legend.map((entry) => ({ ...entry, text: say(entry.text) })) }),
    house: house.map(say),
    ...(credits === undefined ? {} : { credits: credits.map(say) }),
  };
}

/** What stands at the foot of one of several maps: its name, and where it goes on. Empty for a map that is the only one. */
export function sheetLine({ sheet }: MapScene, wording: Pick<Wording, 'say'>): string {
  if (!sheet) return '';
  const joins = sheet.joins.map(({ edge, ...join }) => wording.say({ key: `service.map.joins ${edge}`, params: join }));
  return [sheet.name, ...joins].join(' · ');
}

function saidItem(item: SceneItem<Text>, say: (text: Text) => string): SceneItem {
  if (item.kind === 'label') return { ...item, text: say(item.text) };
  if (item.kind === 'plate') return { ...item, big: say(item.big), small: say(item.small) };
  if (item.kind === 'marker') {
    const { text, ...marker } = item;
    return text === undefined ? marker : { ...marker, text: say(text) };
  }
  if (item.kind === 'arrow' || item.kind === 'region') {
    const { label, ...drawn } = item;
    return label === undefined ? drawn : { ...drawn, label: say(label) };
  }
  if (item.kind !== 'counter') return item;
  const { notes, ...counter } = item.counter;
  return { ...item, counter: notes === undefined ? counter : { ...counter, notes: notes.map(say) } };
}

/** The entries of a file of wording. Throws with the file's name where it is no JSON, or a text is none that can be filled in. */
function wordingFile(file: string): [string, string][] {
  let at = '';
  try {
    const entries = Object.entries(JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>);
    return entries.map(([key, text]) => {
      at = ` "${key}"`;
      if (typeof text !== 'string') throw new Error('is no text');
      if (text.includes('{{')) Handlebars.parse(text);
      return [key, text];
    });
  } catch (problem) {
    throw new Fault(`wording ${file}${at}: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}

const origins = new WeakMap<Wording, { language: string; folders: readonly string[] }>();

/** The language a wording was opened in; `en` for wordings made elsewhere. */
export function languageOf(wording: Wording): string {
  return origins.get(wording)?.language ?? 'en';
}

/** The layout file `mail/<name>.hbs`: the last of the wording's folders that has it wins, so a club may lay its own over ours. */
export function mailLayout(wording: Wording, name: string): string {
  const folders = origins.get(wording)?.folders ?? [];
  for (const folder of [TEMPLATES, ...folders].reverse()) {
    const file = path.join(folder, 'mail', `${name}.hbs`);
    if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8');
  }
  throw new Error(`no layout templates/mail/${name}.hbs`);
}
