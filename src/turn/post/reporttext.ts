/** What a system says, in words: complaints for receipts, reports as plain data and as plain text. */
import type { Diagnostic, Report, Viewer, Words } from '../../kernel/types.ts';
import { saidForm, type Wording } from '../../render/words.ts';

/** Characters of a line that is only named. */
const NAMED_CHARS = 60;

export interface WorkedReport {
  headline: string;
  sections: { title: string; lines: string[] }[];
  orderForm: string[];
}

/** A complaint in words: the service's own codes, then the system's, then the kernel's. */
export function complain(wording: Wording, system: string, diagnostic: Diagnostic): string {
  const own = `post.${diagnostic.code}`;
  return wording.has(own) ? wording.say({ key: own, params: diagnostic.params }) : wording.complain(system, diagnostic);
}

/** The lines of a mail that are neither orders nor commands, named in one short line. */
export function notReadText(wording: Wording, lines: readonly string[]): string {
  const first = lines[0] ?? '';
  const line = first.length > NAMED_CHARS ? `${first.slice(0, NAMED_CHARS)} …` : first;
  return wording.say({ key: 'post.not read', params: { line, more: lines.length - 1 } });
}

/** Puts a report into words. */
export function inWords(report: Report, wording: Wording): WorkedReport {
  const say = (words: Words): string => wording.say(words);
  return {
    headline: say(report.headline),
    sections: report.sections.map(({ title, lines }) => ({ title: say(title), lines: lines.map(say) })),
    orderForm: saidForm(report.orderForm, wording),
  };
}

/** The same as text. The order form is left out: its time is over. */
export function asText(viewer: Viewer, report: WorkedReport): string {
  const sections = report.sections.map(({ title, lines }) =>
    [title, ...lines.map((line) => `  ${line}`), ''].join('\n'),
  );
  return [`For: ${viewer}`, '', report.headline, '', ...sections].join('\n');
}
