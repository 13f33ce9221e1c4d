/**
 * HTML to lines: one block element, `<br>` or table row is one line, cells are parted by a blank.
 */
import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

/** Characters of HTML that are read. */
const HTML_LENGTH_MAX = 256 * 1024;
/** Tags that are read; a page of hundreds of kilobytes has some thousands. */
const TAGS_MAX = 20_000;
const DEPTH_MAX = 60;
const CHILDREN_MAX = 5000;

type Element = Parameters<FormatCallback>[0];

/** Whether the element would not be seen by a reader. */
function hidden(element: Element): boolean {
  const attributes: Record<string, string> | undefined = element.attribs;
  if (!attributes) return false;
  if (attributes.hidden !== undefined) return true;
  const style = attributes.style;
  return (
    style !== undefined &&
    /display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|(?:font-size|max-height|opacity)\s*:\s*0(?:px|pt|em|%)?\s*(?:;|!|$)/i.test(
      style,
    )
  );
}

/** Whether the element's text was struck out: its writer took it back. */
function struck(element: Element): boolean {
  const attributes: Record<string, string> | undefined = element.attribs;
  return /line-through/i.test(attributes?.style ?? '');
}

/** Whether a page strikes anything out. */
export function struckOut(html: string): boolean {
  return /<(?:s|del|strike)[\s>]|line-through/i.test(html);
}

/** Whether a text is a page that was labelled as plain text. */
export function isPage(text: string): boolean {
  const start = text.slice(0, 400).trimStart();
  return (
    /^<(?:!doctype html|html|head|body|meta|style|div|p|table|span|font|br)\b[^>]*>/i.test(start) &&
    /<(?:br|p|div|tr|\/body|\/html|\/p|\/div)\b/i.test(text.slice(0, HTML_LENGTH_MAX))
  );
}

/** In text that is laid out already line ends count: each becomes a line break of its own. */
function keepLineEnds(element: Element): void {
  const style = element.attribs ? String((element.attribs as Record<string, string>).style ?? '') : '';
  if (!/white-space\s*:\s*(?:pre|break-spaces)/i.test(style)) return;
  breakLines(element, 0);
}

function breakLines(element: Element, depth: number): void {
  if (depth > DEPTH_MAX || !element.children) return;
  element.children = element.children.flatMap((child: Element) => {
    if (child.type !== 'text' || !/[\r\n]/.test(String(child.data))) {
      const style = String((child.attribs as Record<string, string> | undefined)?.style ?? '');
      if (child.type !== 'text' && !/white-space\s*:\s*(?:normal|nowrap)/i.test(style)) breakLines(child, depth + 1);
      return [child];
    }
    return String(child.data)
      .split(/\r\n|\r|\n/)
      .flatMap((text, i) => [
        ...(i === 0 ? [] : [{ type: 'tag', name: 'br', attribs: {}, children: [] } as unknown as Element]),
        ...(text === '' ? [] : [{ ...child, data: text } as Element]),
      ]);
  });
}

const PARAGRAPHS = new Set(['p', 'div', 'br', 'li', 'table', 'tr']);
/** Paragraphs in one cell from which on it is a frame around a letter and not a cell of a table of orders. */
const LETTER_PARAGRAPHS = 3;

function paragraphsIn(element: Element, depth = 0): number {
  if (depth > DEPTH_MAX) return 0;
  return (element.children ?? []).reduce(
    (count: number, child: Element) =>
      count + (PARAGRAPHS.has(child.name ?? '') ? 1 : 0) + paragraphsIn(child, depth + 1),
    0,
  );
}

function hasText(element: Element, depth = 0): boolean {
  if (depth > DEPTH_MAX) return false;
  if (element.type === 'text')
    return (
      String(element.data)
        .replace(/\u00a0/g, ' ')
        .trim() !== ''
    );
  return (element.children ?? []).some((child: Element) => hasText(child, depth + 1));
}

/** Cells of a row that hold something. One alone, or one that holds a whole letter, is a frame and no table. */
function isTableRow(row: Element): boolean {
  const cells = (row.children ?? []).filter((child: Element) => /^t[dh]$/.test(child.name ?? '') && hasText(child));
  return cells.length > 1 && cells.every((cell: Element) => paragraphsIn(cell) < LETTER_PARAGRAPHS);
}

/** Makes what stands in the cells of a row run on: a row is one line whatever its cells hold. */
function runOn(element: Element, depth: number): void {
  if (depth > DEPTH_MAX) return;
  for (const child of element.children ?? []) {
    if (PARAGRAPHS.has(child.name ?? '')) child.name = 'span';
    runOn(child, depth + 1);
  }
}

/** Outlook writes an arrow as a letter in the Wingdings font. */
function inWingdings(element: Element): boolean {
  const attributes: Record<string, string> | undefined = element.attribs;
  return attributes !== undefined && /wingdings/i.test(`${attributes.style ?? ''} ${attributes.face ?? ''}`);
}

function onlyText(element: Element): string {
  const [child, ...others] = element.children ?? [];
  return others.length === 0 && child?.type === 'text' ? String(child.data ?? '').trim() : '';
}

function openQuote(builder: Parameters<FormatCallback>[2]): void {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addInline('>');
  builder.closeBlock({ trailingLineBreaks: 1 });
}

const formatters: Record<string, FormatCallback> = {
  inlineSeen: (element, walk, builder) => {
    if (hidden(element) || struck(element)) return;
    keepLineEnds(element);
    if (inWingdings(element) && /^[àèðØ]$|^[\ue0e0\ue0e8\uf0e0\uf0e8]$/.test(onlyText(element)))
      builder.addInline('->');
    else walk(element.children, builder);
  },
  blockSeen: (element, walk, builder, { cutsQuotes }) => {
    if (hidden(element) || struck(element)) return;
    keepLineEnds(element);
    const { own, quoted } = cutsQuotes === true ? ownChildren(element) : { own: element.children, quoted: false };
    builder.openBlock({ leadingLineBreaks: 1 });
    walk(own, builder);
    builder.closeBlock({ trailingLineBreaks: 1 });
    if (quoted) openQuote(builder);
  },
  rowSeen: (element, walk, builder) => {
    if (hidden(element) || struck(element)) return;
    if (isTableRow(element)) for (const cell of element.children ?? []) runOn(cell, 0);
    builder.openBlock({ leadingLineBreaks: 1 });
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 1 });
  },
  cellSeen: (element, walk, builder) => {
    if (hidden(element) || struck(element)) return;
    keepLineEnds(element);
    walk(element.children, builder);
    builder.addInline(' ');
  },
  // A quote leaves an empty quoted line, so that an attribution above it is known to have a marked quote.
  quoteMark: (_element, _walk, builder) => openQuote(builder),
  preSeen: (element, walk, builder) => {
    if (hidden(element) || struck(element)) return;
    builder.openBlock({ isPre: true, leadingLineBreaks: 1 });
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 1 });
  },
};

const BLOCKS = [
  ...['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'section'],
  ...['article', 'aside', 'main', 'nav', 'header', 'footer', 'center', 'form', 'fieldset', 'address', 'figure', 'hr'],
  ...['blockquote', 'body', 'caption'],
];
const STRUCK = ['s', 'del', 'strike'];
const NEVER = ['img', 'head', 'title', 'style', 'script', 'template', 'svg', 'object', 'xml', 'textarea', 'select'];
/** Elements from which on everything beside them is the quoted mail: Outlook's header, its mark, Roundcube's line. */
const BEGINS_QUOTE =
  /^(?:x_)*(?:divRplyFwdMsg|appendonsend|reply-intro|mail-editor-reference-message-container|zwchr)$/i;

function beginsQuote(element: Element): boolean {
  const attributes = element.attribs as Record<string, string> | undefined;
  return attributes?.id !== undefined && BEGINS_QUOTE.test(attributes.id);
}

/** The children that are the writer's own, and whether a quote begins among them. */
function ownChildren(element: Element): { own: Element[]; quoted: boolean } {
  const children: Element[] = element.children ?? [];
  const at = children.findIndex(beginsQuote);
  return at < 0 ? { own: children, quoted: false } : { own: children.slice(0, at), quoted: true };
}

/** What clients put quoted mails and signatures of the provider in. */
const QUOTES = [
  ...['blockquote', '.gmail_quote', '.gmail_quote_container', '.gmail_signature', '.gmail_extra', '.yahoo_quoted'],
  ...['.protonmail_quote', '.protonmail_signature_block', '.tutanota_quote', '.moz-signature'],
  ...['div[name="quote"]', '.zmail_extra', '.quoted-content', '.iw_mail_quote', '.WM_quote'],
  ...['#mail-editor-reference-message-container', '.ms-outlook-mobile-reference-message'],
  ...['.OutlookMessageHeader', 'includetail'],
  ...['[data-marker="__QUOTED_TEXT__"]', '.zimbra_quote', '.hs_reply', '.qt', '#qt', '.AOLMsgPart', '.mailru-quote'],
  ...['#Zm-_Id_-Sgn', '.front-blockquote', '.gmail_attr'],
];

function options(withQuotes: boolean): HtmlToTextOptions {
  return {
    wordwrap: false,
    // The whole of it: a client that quotes a page within its own leaves a second body behind.
    baseElements: { selectors: [], returnDomByDefault: true },
    whitespaceCharacters: ' \t\r\n\f',
    limits: { maxInputLength: HTML_LENGTH_MAX, maxDepth: DEPTH_MAX, maxChildNodes: CHILDREN_MAX, ellipsis: '' },
    formatters,
    selectors: [
      { selector: '*', format: 'inlineSeen' },
      ...['a', 'input', 'wbr'].map((selector) => ({ selector, format: 'inlineSeen' })),
      ...BLOCKS.map((selector) => ({ selector, format: 'blockSeen', options: { cutsQuotes: !withQuotes } })),
      { selector: 'tr', format: 'rowSeen' },
      ...['td', 'th'].map((selector) => ({ selector, format: 'cellSeen' })),
      ...STRUCK.map((selector) => ({ selector, format: 'skip' })),
      { selector: 'pre', format: 'preSeen' },
      ...NEVER.map((selector) => ({ selector, format: 'skip' })),
      ...(withQuotes ? [] : QUOTES.map((selector) => ({ selector, format: 'quoteMark' }))),
    ],
  };
}

const spoken = compile(options(false));
const everything = compile(options(true));

/** The text of an HTML part with line breaks. Quotes and the provider's signature are left out unless asked for. */
export function htmlToLines(html: string, quotes: 'without-quotes' | 'with-quotes' = 'without-quotes'): string {
  const input = fewTags(html.length > HTML_LENGTH_MAX ? html.slice(0, HTML_LENGTH_MAX) : html);
  return (quotes === 'with-quotes' ? everything : spoken)(input);
}

function fewTags(html: string): string {
  let at = -1;
  for (let tags = 0; tags < TAGS_MAX; tags++) {
    at = html.indexOf('<', at + 1);
    if (at < 0) return html;
  }
  return html.slice(0, at);
}
