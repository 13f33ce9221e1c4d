/**
 * HTML to lines: one block element, `<br>` or table row is one line, cells are parted by a blank (corpus rule 4).
 */
import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

/** Characters of HTML that are read. */
export const HTML_LENGTH_MAX = 256 * 1024;
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

/** Outlook writes an arrow as a letter in the Wingdings font. */
function inWingdings(element: Element): boolean {
  const attributes: Record<string, string> | undefined = element.attribs;
  return attributes !== undefined && /wingdings/i.test(`${attributes.style ?? ''} ${attributes.face ?? ''}`);
}

function onlyText(element: Element): string {
  const [child, ...others] = element.children ?? [];
  return others.length === 0 && child?.type === 'text' ? String(child.data ?? '').trim() : '';
}

const formatters: Record<string, FormatCallback> = {
  inlineSeen: (element, walk, builder) => {
    if (hidden(element)) return;
    if (inWingdings(element) && /^[àèðØ]$|^[\ue0e0\ue0e8\uf0e0\uf0e8]$/.test(onlyText(element)))
      builder.addInline('->');
    else walk(element.children, builder);
  },
  blockSeen: (element, walk, builder) => {
    if (hidden(element)) return;
    builder.openBlock({ leadingLineBreaks: 1 });
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 1 });
  },
  cellSeen: (element, walk, builder) => {
    if (hidden(element)) return;
    walk(element.children, builder);
    builder.addInline(' ');
  },
  // A quote leaves an empty quoted line, so that an attribution above it is known to have a marked quote.
  quoteMark: (_element, _walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 1 });
    builder.addInline('>');
    builder.closeBlock({ trailingLineBreaks: 1 });
  },
  preSeen: (element, walk, builder) => {
    if (hidden(element)) return;
    builder.openBlock({ isPre: true, leadingLineBreaks: 1 });
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 1 });
  },
};

const BLOCKS = [
  ...['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'tr', 'section'],
  ...['article', 'aside', 'main', 'nav', 'header', 'footer', 'center', 'form', 'fieldset', 'address', 'figure', 'hr'],
  ...['blockquote', 'body', 'caption'],
];
const NEVER = ['img', 'head', 'title', 'style', 'script', 'template', 'svg', 'object', 'xml', 'textarea', 'select'];
const QUOTES = ['blockquote[type="cite"]', '.gmail_quote', '.gmail_signature'];

function options(withQuotes: boolean): HtmlToTextOptions {
  return {
    wordwrap: false,
    whitespaceCharacters: ' \t\r\n\f',
    limits: { maxInputLength: HTML_LENGTH_MAX, maxDepth: DEPTH_MAX, maxChildNodes: CHILDREN_MAX, ellipsis: '' },
    formatters,
    selectors: [
      { selector: '*', format: 'inlineSeen' },
      ...['a', 'input', 'wbr'].map((selector) => ({ selector, format: 'inlineSeen' })),
      ...BLOCKS.map((selector) => ({ selector, format: 'blockSeen' })),
      ...['td', 'th'].map((selector) => ({ selector, format: 'cellSeen' })),
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
