/** The report: what happened as a diary, what is owed, the battle sheet, the campaign sheet, and the form to answer with. */
import type { Filed, Report, View, Words } from '../../../kernel/types.ts';
import { owedIn } from '../campaign/phases.ts';
import { sideName } from '../content/names.ts';
import type { CampaignData } from '../content/scenario.ts';
import {
  type CampaignEvent,
  type CombatCommander,
  type CommanderSide,
  type CommanderTable,
  enemyOf,
  isSide,
  SIDES,
} from '../types.ts';
import { battleSheet, campaignSheet, diary, forceLines, poolLines } from './battlesheet.ts';
import { orderForm } from './form.ts';
import { dateOf, placeOf, say, tell, vpName } from './telling.ts';

/** Rulings of the house, told once at the start (analysis of the rulebook's open points). */
const RULINGS = 32;

/** The rulings of the house in words. */
export function rulings(): Words[] {
  return Array.from({ length: RULINGS }, (_, i) => say(`CCR-${String(i + 1).padStart(2, '0')}`));
}

/** Steps whose report carries the battle sheet; the forces follow from the set-up on. */
const SHEET_STEPS: readonly string[] = ['sections', 'support', 'setup-first', 'setup-second', 'setup-forts', 'battle'];

/** Steps in which players choose: the headline speaks to them, and of them to onlookers. */
const CHOICES: readonly string[] = ['sections', 'support', 'setup-first', 'setup-second', 'setup-forts', 'after'];

function headline(data: CampaignData, table: CommanderTable, step: string, viewer: CommanderSide | undefined): Words {
  const { campaign, ended } = table;
  const base = {
    battle: campaign.battle,
    date: dateOf(data, campaign.battle),
    position: campaign.position,
    place: placeOf(data, campaign.position),
  };
  if (ended) {
    const { winner } = ended;
    const drawn = winner === null || !isSide(winner);
    return say(drawn ? 'headline-ended' : 'headline-won', {
      side: drawn ? '' : sideName(winner as CommanderSide),
      reason: ended.reason,
    });
  }
  const owes = owedIn(table, step).some((ask) => ask.side === viewer && ask.must);
  const who = viewer === undefined && CHOICES.includes(step) ? '-public' : owes ? '' : '-wait';
  return say(`headline-${step}${who}`, { ...base, vp: vpName(campaign.vp), round: table.battle.rounds });
}

/** What the viewer owes now, in words. */
function dueLines(table: CommanderTable, step: string, side: CommanderSide): Words[] {
  const ask = owedIn(table, step).find((one) => one.side === side);
  if (!ask) return [say('due-nothing')];
  const { battle, campaign } = table;
  const params = { battle: campaign.battle, enemy: sideName(enemyOf(side)) };
  switch (step) {
    case 'sections':
      return battle.sealed[side] ? [say('due-sealed', params)] : [say('due-sections', params)];
    case 'support':
      return dueSupport(table, side);
    case 'setup-first':
    case 'setup-second':
    case 'setup-forts':
      return [say(`due-${step}${table.options.placement === 'table' ? '-table' : ''}`, params)];
    case 'confirm':
      return [
        say(battle.reports[side] ? 'due-confirm-wait' : 'due-confirm', {
          ...params,
          ...reportOf(table, side),
          days: table.options.confirmDays,
        }),
      ];
    case 'dispute':
      return [say('due-dispute', { ...params, ...reportOf(table, side), round: battle.rounds })];
    case 'after': {
      const must = ask.must;
      return [say(must ? (table.after?.winner === side ? 'due-after-winner' : 'due-after-loser') : 'due-after-wait')];
    }
    default:
      return [say(`due-${step}`, params)];
  }
}

/** B2: what a side decides itself, and what it may settle beforehand so that nobody has to ask it. */
function dueSupport(table: CommanderTable, side: CommanderSide): Words[] {
  const { battle, campaign } = table;
  const { points } = campaign;
  const lines: Words[] = [];
  const rolled = battle.support.find((roll) => roll.bought === null);
  if (rolled?.side === side) lines.push(say('due-support-column'));
  if (side === 'american' && points.americanArmor > 0) lines.push(say('due-armor-american', { ...points }));
  if (side === 'german' && points.germanArmor > 0) lines.push(say('due-armor-german', { ...points }));
  if (side === 'german' && points.germanArtillery > 0) lines.push(say('due-artillery', { ...points }));
  if (lines.length === 0) lines.push(say('due-nothing'));
  if (rolled && rolled.side !== side) lines.push(say('due-support-ahead'));
  if (side === 'german' && points.fortification > 0) lines.push(say('due-fort-ahead', { ...points }));
  return lines;
}

function reportOf(table: CommanderTable, side: CommanderSide): Record<string, string | number | boolean> {
  const report = table.battle.reports[enemyOf(side)];
  return {
    winner: report ? sideName(report.winner) : '',
    told: report?.vp !== null && report !== null,
    vp: report?.vp ?? 0,
    note: report?.note ?? '',
  };
}

/** The report of a phase for one viewer, from his view and the events he heard. */
export function campaignReport(
  data: CampaignData,
  view: View<CombatCommander>,
  events: readonly CampaignEvent[],
  filed: Filed<CombatCommander>,
): Report {
  const { table, phase, viewer, hand } = view;
  const { step } = phase;
  const side = isSide(viewer) ? viewer : undefined;
  const sections: Report['sections'] = [];
  const add = (title: string, lines: Words[]): void => {
    if (lines.length > 0) sections.push({ title: say(title), lines });
  };
  const told = events.map((event) => tell(data, table, event)).filter((line) => line !== undefined);
  // A receipt asks for the forecast of orders alone: the sheets would only repeat the report.
  if (events.length > 0 && events.every((event) => event.type.startsWith('forecast-'))) {
    add('title-forecast', told);
    return { headline: headline(data, table, step, side), sections, orderForm: [] };
  }
  add('title-diary', told);
  if (side) add('title-due', dueLines(table, step, side));
  if (SHEET_STEPS.includes(step)) {
    add('title-sheet', battleSheet(data, table, hand));
    if (step !== 'sections' && step !== 'support')
      for (const owner of SIDES) add(`title-force-${owner}`, forceLines(data, table, owner));
  }
  if (step === 'sections') add('title-pools', poolLines(data, table));
  add('title-campaign', campaignSheet(data, table));
  add('title-battles', diary(data, table));
  if (step === 'sections' && table.campaign.fought.length === 0 && events.length === 0) add('title-rulings', rulings());
  return {
    headline: headline(data, table, step, side),
    sections,
    orderForm: side ? orderForm({ data, table, step, side, filed }) : [],
  };
}
