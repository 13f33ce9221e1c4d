/** A system's report in words, as plain data and as plain text: for what-if, archives and exported games. */
import type { Report, Viewer, Words } from '../kernel/types.ts';
import type { Wording } from '../render/words.ts';

export interface WorkedReport {
  headline: string;
  sections: { title: string; lines: string[] }[];
  orderForm: string[];
}

/** Puts a report into words. */
export function inWords(report: Report, wording: Wording): WorkedReport {
  const say = (words: Words): string => wording.say(words);
  return {
    headline: say(report.headline),
    sections: report.sections.map(({ title, lines }) => ({ title: say(title), lines: lines.map(say) })),
    orderForm: report.orderForm,
  };
}

/** The same as text. The order form is left out: its time is over. */
export function asText(viewer: Viewer, report: WorkedReport): string {
  const sections = report.sections.map(({ title, lines }) =>
    [title, ...lines.map((line) => `  ${line}`), ''].join('\n'),
  );
  return [`For: ${viewer}`, '', report.headline, '', ...sections].join('\n');
}
