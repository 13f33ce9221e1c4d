/** The order form at the end of every report: what is owed now, filled in with what is on file or a safe line to edit. */
import type { Param, Text, Words } from '../../../kernel/types.ts';
import { inBox } from '../campaign/campaignsheet.ts';
import { type CommanderStep, owedIn } from '../campaign/phases.ts';
import { completeSetup, mayDeploy, unplacedForts, zoneDepth } from '../campaign/placement.ts';
import { defenderOf } from '../campaign/posture.ts';
import { leaderChoices, qualityOptions, requestOf, restCandidates } from '../campaign/results.ts';
import { forceOf, noPlacement, sectionName, sectionOf } from '../content/forces.ts';
import type { CampaignData } from '../content/scenario.ts';
import { fortBudget, fortPieces, pickItems } from '../content/support.ts';
import { printOrder, printStanding } from '../text/orders.ts';
import {
  type CampaignDoctrine,
  type CampaignOrder,
  type CommanderSide,
  type CommanderTable,
  enemyOf,
} from '../types.ts';
import { inRow, say } from './telling.ts';

/** What a form is made for. */
export interface FormInput {
  data: CampaignData;
  table: CommanderTable;
  step: string;
  side: CommanderSide;
  filed: { orders: readonly CampaignOrder[]; standing: readonly CampaignDoctrine[] };
}

type Part = {
  subject: (order: CampaignOrder) => boolean;
  /** What can be done. */
  notes: Text[];
  /** What is proposed while nothing is filed. */
  lines: string[];
};

/** The lines of a valid order block. */
export function orderForm(input: FormInput): Text[] {
  const { table, step, side, filed } = input;
  const owed = owedIn(table, step);
  if (!owed.some((ask) => ask.side === side)) return [];
  const lines: Text[] = [`BATTLE ${table.campaign.battle} SIDE ${side.toUpperCase()} STEP ${step}`];
  for (const part of partsOf(input)) {
    const own = filed.orders.filter(part.subject);
    lines.push(...part.notes, ...(own.length > 0 ? own.map(printOrder) : part.lines));
  }
  lines.push(...filed.standing.filter((order) => !order.withdraw).map(printStanding));
  return [...lines, 'FINAL', 'END'];
}

/** Longest line of a form: mail programs wrap what is longer. */
const WIDTH_MAX = 72;

/** A comment of the form. */
const comment = (key: string, params: Record<string, Param> = {}): Words => say(`form-${key}`, params);

/** Parts of a list joined into as many order lines as their width needs. */
function orderLines(verb: string, parts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last && last.length + part.length + 2 <= WIDTH_MAX) lines[lines.length - 1] = `${last}, ${part}`;
    else lines.push(`${verb} ${part}`);
  }
  return lines;
}

const verb =
  (...verbs: string[]) =>
  (order: CampaignOrder): boolean =>
    verbs.includes(order.verb);

function partsOf(input: FormInput): Part[] {
  const { table, side } = input;
  const battle = table.campaign.battle;
  switch (input.step as CommanderStep) {
    case 'sections':
      return sectionsParts(input);
    case 'support':
      return supportParts(input);
    case 'setup-first':
    case 'setup-second':
      return setupParts(input);
    case 'setup-forts':
      return [{ subject: verb('PLACE'), notes: fortNotes(input, 'vp'), lines: [] }];
    case 'battle':
    case 'dispute':
    case 'ruling':
      return [{ subject: verb('REPORT', 'CONFIRM'), notes: reportNotes(input), lines: [] }];
    case 'confirm':
      return table.battle.reports[side]
        ? [{ subject: verb('REPORT', 'CONFIRM'), notes: reportNotes(input), lines: [] }]
        : [
            {
              subject: verb('REPORT', 'CONFIRM'),
              notes: [
                comment('own-report'),
                ...['AMERICAN', 'GERMAN'].map((winner) => `# REPORT BATTLE ${battle} WINNER ${winner}`),
              ],
              lines: [`CONFIRM BATTLE ${battle}`],
            },
          ];
    case 'after':
      return afterParts(input);
    default:
      return [];
  }
}

function sectionsParts({ data, table, side }: FormInput): Part[] {
  const { campaign, battle } = table;
  const reopen: Part = {
    subject: verb('REOPEN'),
    notes: reopenNotes(table, campaign.battle - 1),
    lines: [],
  };
  if (battle.sealed[side]) return [reopen];
  const pool = inBox(campaign, side, 'pool').filter((letter) => letter !== 'Q');
  const about = pool.map((letter) => {
    const { cost, orders, initiative, surrender } = sectionOf(data, side, letter);
    const name = sectionName(data, campaign, side, letter);
    return comment('section', { name, cost, orders, initiative, surrender });
  });
  return [{ subject: verb('SECTIONS'), notes: about, lines: ['SECTIONS NONE'] }, reopen];
}

function supportParts({ data, table, side }: FormInput): Part[] {
  const { battle, campaign } = table;
  const { points } = campaign;
  const parts: Part[] = [];
  const roll = battle.support.find((one) => one.side === side && one.bought === null);
  if (roll) {
    const items = roll.items.map((one) => `${one.item} (${one.cost} VP)`).join(', ');
    const cheapest = pickItems(roll.items, 'cheapest').join(', ');
    parts.push({ subject: verb('SUPPORT'), notes: [comment('column', { items })], lines: [`SUPPORT BUY ${cheapest}`] });
  }
  if (side === 'american' && points.americanArmor > 0) {
    const { vp, chargesVp } = data.tables.support.americanArmor;
    const cost = comment('american-armor', { left: points.americanArmor, vp, chargesVp });
    parts.push({ subject: verb('ARMOR'), notes: [cost], lines: ['ARMOR NO'] });
  }
  if (side === 'german' && points.germanArmor > 0) {
    const { vp } = data.tables.support.germanArmor;
    const cost = comment('german-armor', { left: points.germanArmor, vp });
    parts.push({ subject: verb('ARMOR'), notes: [cost], lines: ['ARMOR NO'] });
  }
  if (side === 'german' && points.germanArtillery > 0) {
    const { vp, perBattle } = data.tables.support.germanArtillery;
    const cost = comment('artillery', { left: points.germanArtillery, perBattle, vp });
    parts.push({ subject: verb('ARTILLERY'), notes: [cost], lines: ['ARTILLERY 0'] });
  }
  return parts;
}

function setupParts(input: FormInput): Part[] {
  const { data, table, side, step } = input;
  const { battle, campaign, options } = table;
  const parts: Part[] = [];
  const prices = data.forces.fortifications.list.map((entry) => `${entry.item} ${entry.cost}`).join(', ');
  const budget = defenderOf(battle) === side ? fortBudget(data, table, side) : 0;
  const points = side === 'german' ? campaign.points.fortification : 0;
  if (step === 'setup-first' && (budget > 0 || points > 0)) {
    const notes = [comment('prices', { prices })];
    if (budget > 0) notes.push(comment('fort-vp', { budget }));
    if (points > 0) notes.push(comment('fort-points', { points }));
    parts.push({ subject: verb('FORT'), notes, lines: [] });
  }
  if (step === 'setup-second' && battle.posture?.[side] === 'attack')
    parts.push({ subject: verb('RADIO'), notes: [comment('radio')], lines: ['RADIO NO'] });
  if (options.placement === 'table') return parts;
  parts.push({ subject: verb('SETUP'), ...setupPart(input) });
  parts.push({ subject: verb('PLACE'), notes: fortNotes(input, 'points'), lines: [] });
  return parts;
}

/** A legal placement, one line a Section, to be edited. */
function setupPart({ data, table, side }: FormInput): Pick<Part, 'notes' | 'lines'> {
  const placement = completeSetup(data, table, side, noPlacement());
  const rows = zoneDepth(data, table, side);
  const notes: Text[] = [comment('zone', { rows })];
  if (mayDeploy(table, side)) notes.push('# SETUP DEPLOY Q/1 INTO Q/1A Q/1B');
  const lines: string[] = [];
  const force = forceOf(data, table.campaign, table.battle, side, null);
  for (const section of [...new Set(force.map((piece) => piece.section))]) {
    const own = force.filter((piece) => piece.section === section).map((piece) => piece.id);
    const places = Object.entries(placement.places).filter(([unit]) => own.includes(unit));
    const carry = Object.entries(placement.carry).filter(([weapon]) => own.includes(weapon));
    const stacks = [...new Set(places.map(([, hex]) => hex))];
    const groups = stacks.map((hex) => [...places.filter((place) => place[1] === hex).map(([unit]) => unit), hex]);
    const parts = [
      ...groups.map((group) => group.join(' ')),
      ...carry.map(([weapon, unit]) => `${weapon} WITH ${unit}`),
    ];
    lines.push(...orderLines('SETUP', parts));
  }
  return { notes, lines };
}

function fortNotes({ data, table, side }: FormInput, pay: 'vp' | 'points'): Text[] {
  return unplacedForts(data, table, side, pay).map((fort) => {
    const left = fortPieces(data, fort.item) - fort.hexes.length;
    return comment('place', { item: fort.item, left });
  });
}

function reportNotes({ table, side }: FormInput): Text[] {
  const number = table.campaign.battle;
  const lines: Text[] = [comment('report')];
  if (table.battle.reports[enemyOf(side)]) lines.push(`# CONFIRM BATTLE ${number}`);
  return [
    ...lines,
    `# REPORT BATTLE ${number} WINNER AMERICAN`,
    `# REPORT BATTLE ${number} WINNER GERMAN`,
    comment('report-end'),
  ];
}

function afterParts({ data, table, side }: FormInput): Part[] {
  const { after, campaign } = table;
  if (!after) return [];
  const subject =
    (what: string) =>
    (order: CampaignOrder): boolean =>
      order.verb === 'CHOOSE' && order.what === what;
  const name = (letter: string): Text =>
    letter === 'choice' || letter === 'none' ? comment(`names-${letter}`) : sectionName(data, campaign, side, letter);
  const parts: Part[] = [];
  if (side === after.winner) {
    const options = qualityOptions(campaign, side).map((option) => option.toUpperCase());
    parts.push({
      subject: subject('quality'),
      notes: [comment('quality', { options })],
      lines: ['CHOOSE QUALITY NONE'],
    });
    const rolls = requestOf(after, side).map((roll, i) =>
      comment('request', {
        n: i + 1,
        dice: roll.dice.join('+'),
        name: name(roll.names),
        box: boxWord(table, side, roll.names),
      }),
    );
    parts.push({
      subject: subject('request'),
      notes: [comment('requests', { rolls: inRow(rolls) })],
      lines: ['CHOOSE REQUEST 1'],
    });
  }
  if (side === 'german' && after.rest) {
    const tired = restCandidates(campaign, after.rest);
    parts.push({
      subject: subject('rest'),
      notes: tired.length > 0 ? [comment('rest', { names: tired.map(name) })] : [],
      lines: tired.length > 0 ? ['CHOOSE REST NONE'] : [],
    });
  }
  if (requestOf(after, side).some((roll) => roll.names === 'choice')) {
    const choices = leaderChoices(campaign, after, side);
    if (choices.length > 0)
      parts.push({
        subject: subject('leader'),
        notes: [comment('leader', { names: choices.map(name) })],
        lines: [`CHOOSE LEADER ${choices[0]}`],
      });
  }
  return [...parts, { subject: verb('REOPEN'), notes: reopenNotes(table, after.battle), lines: [] }];
}

function reopenNotes(table: CommanderTable, battle: number): Text[] {
  return table.before ? [comment('reopen', { battle }), `# REOPEN BATTLE ${battle}`] : [];
}

function boxWord(table: CommanderTable, side: CommanderSide, letter: string): Words {
  if (letter === 'none' || letter === 'choice') return comment(`box-${letter}`);
  return comment(`box-${table.campaign.boxes[side][letter] ?? 'available'}`);
}
