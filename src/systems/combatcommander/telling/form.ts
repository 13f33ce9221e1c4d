/** The order form at the end of every report: what is owed now, filled in with what is on file or a safe line to edit. */
import { inBox } from '../campaign/campaign.ts';
import { owedIn, type Step } from '../campaign/phases.ts';
import { completeSetup, mayDeploy, unplacedForts, zoneDepth } from '../campaign/placement.ts';
import { defenderOf } from '../campaign/posture.ts';
import { leaderChoices, qualityOptions, requestOf, restCandidates } from '../campaign/results.ts';
import { forceOf, noPlacement, sectionName, sectionOf } from '../content/forces.ts';
import type { CampaignData } from '../content/scenario.ts';
import { fortBudget, fortPieces, pickItems } from '../content/support.ts';
import { printOrder, printStanding } from '../text/orders.ts';
import { type CampaignDoctrine, type CampaignOrder, enemyOf, type Side, type Table } from '../types.ts';

/** What a form is made for. */
export interface FormInput {
  data: CampaignData;
  table: Table;
  step: string;
  side: Side;
  filed: { orders: readonly CampaignOrder[]; standing: readonly CampaignDoctrine[] };
}

type Line = { subject: (order: CampaignOrder) => boolean; lines: string[] };

/** The lines of a valid order block. */
export function orderForm(input: FormInput): string[] {
  const { table, step, side, filed } = input;
  const owed = owedIn(table, step);
  if (!owed.some((ask) => ask.side === side)) return [];
  const lines = [`BATTLE ${table.campaign.battle} SIDE ${side.toUpperCase()} STEP ${step}`];
  for (const part of partsOf(input)) {
    const own = filed.orders.filter(part.subject);
    lines.push(...part.lines.filter((line) => line.startsWith('#')));
    if (own.length > 0) lines.push(...own.map(printOrder));
    else lines.push(...part.lines.filter((line) => !line.startsWith('#')));
  }
  lines.push(...filed.standing.filter((order) => !order.withdraw).map(printStanding));
  return [...lines, 'FINAL', 'END'];
}

/** Longest line of a form: mail programs wrap what is longer, and half a comment would be read as an order. */
const WIDTH_MAX = 72;

/** A comment in lines short enough; the lines after the first are indented. */
function comment(text: string): string[] {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > WIDTH_MAX) {
      lines.push(line);
      line = '#  ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

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

function partsOf(input: FormInput): Line[] {
  const { table, side } = input;
  const battle = table.campaign.battle;
  switch (input.step as Step) {
    case 'sections':
      return sectionsParts(input);
    case 'support':
      return supportParts(input);
    case 'setup-first':
    case 'setup-second':
      return setupParts(input);
    case 'setup-forts':
      return [{ subject: verb('PLACE'), lines: fortLines(input, 'vp') }];
    case 'battle':
    case 'dispute':
    case 'ruling':
      return [{ subject: verb('REPORT', 'CONFIRM'), lines: reportLines(input) }];
    case 'confirm':
      return table.battle.reports[side]
        ? [{ subject: verb('REPORT', 'CONFIRM'), lines: reportLines(input) }]
        : [
            {
              subject: verb('REPORT', 'CONFIRM'),
              lines: [
                '# or take away the # before your own report, and the line CONFIRM',
                ...['AMERICAN', 'GERMAN'].map((winner) => `# REPORT BATTLE ${battle} WINNER ${winner}`),
                `CONFIRM BATTLE ${battle}`,
              ],
            },
          ];
    case 'after':
      return afterParts(input);
    default:
      return [];
  }
}

function sectionsParts({ data, table, side }: FormInput): Line[] {
  const { campaign, battle } = table;
  const reopen: Line = {
    subject: verb('REOPEN'),
    lines: reopenLines(table, campaign.battle - 1),
  };
  if (battle.sealed[side]) return [reopen];
  const pool = inBox(campaign, side, 'pool').filter((letter) => letter !== 'Q');
  const about = pool.map((letter) => {
    const { cost, orders, initiative, surrender } = sectionOf(data, side, letter);
    const name = sectionName(data, campaign, side, letter);
    return `# ${name}, ${cost} VP: orders ${orders}, init. ${initiative}, surrender ${surrender}`;
  });
  return [{ subject: verb('SECTIONS'), lines: [...about, 'SECTIONS NONE'] }, reopen];
}

function supportParts({ data, table, side }: FormInput): Line[] {
  const { battle, campaign } = table;
  const { points } = campaign;
  const parts: Line[] = [];
  const roll = battle.support.find((one) => one.side === side && one.bought === null);
  if (roll) {
    const items = roll.items.map((one) => `${one.item} (${one.cost} VP)`).join(', ');
    const cheapest = pickItems(roll.items, 'cheapest').join(', ');
    parts.push({ subject: verb('SUPPORT'), lines: [...comment(`your column: ${items}`), `SUPPORT BUY ${cheapest}`] });
  }
  if (side === 'american' && points.americanArmor > 0) {
    const { vp, chargesVp } = data.tables.support.americanArmor;
    const cost = `armor: ${points.americanArmor} points left; costs ${vp} VP and ${chargesVp} for the charges`;
    parts.push({ subject: verb('ARMOR'), lines: [...comment(cost), 'ARMOR NO'] });
  }
  if (side === 'german' && points.germanArmor > 0) {
    const { vp } = data.tables.support.germanArmor;
    const cost = `armor: ${points.germanArmor} point left; costs ${vp} VP; or ARMOR IF OPPONENT ARMOR`;
    parts.push({ subject: verb('ARMOR'), lines: [...comment(cost), 'ARMOR NO'] });
  }
  if (side === 'german' && points.germanArtillery > 0) {
    const { vp, perBattle } = data.tables.support.germanArtillery;
    const cost = `artillery: ${points.germanArtillery} points left, at most ${perBattle}; costs ${vp} VP in all`;
    parts.push({ subject: verb('ARTILLERY'), lines: [...comment(cost), 'ARTILLERY 0'] });
  }
  return parts;
}

function setupParts(input: FormInput): Line[] {
  const { data, table, side, step } = input;
  const { battle, campaign, options } = table;
  const parts: Line[] = [];
  const prices = data.forces.fortifications.list.map((entry) => `${entry.item} ${entry.cost}`).join(', ');
  const budget = defenderOf(battle) === side ? fortBudget(data, table, side) : 0;
  const points = side === 'german' ? campaign.points.fortification : 0;
  if (step === 'setup-first' && (budget > 0 || points > 0)) {
    const lines = comment(`fortifications: ${prices}`);
    if (budget > 0) lines.push(`# up to ${budget} VP: FORT VP Trenches, Wire`);
    if (points > 0) lines.push(`# up to ${points} Fortification Points: FORT POINTS Trenches, Wire`);
    parts.push({ subject: verb('FORT'), lines });
  }
  if (step === 'setup-second' && battle.posture?.[side] === 'attack')
    parts.push({ subject: verb('RADIO'), lines: ['# RADIO ROLL: you must buy the Radio shown', 'RADIO NO'] });
  if (options.placement === 'table') return parts;
  parts.push({ subject: verb('SETUP'), lines: setupLines(input) });
  parts.push({ subject: verb('PLACE'), lines: fortLines(input, 'points') });
  return parts;
}

/** A legal placement, one line a Section, to be edited. */
function setupLines({ data, table, side }: FormInput): string[] {
  const placement = completeSetup(data, table, side, noPlacement());
  const rows = zoneDepth(data, table, side);
  const lines = [`# your zone: ${rows} rows from your edge`];
  if (mayDeploy(table, side)) lines.push('# SETUP DEPLOY Q/1 INTO Q/1A Q/1B');
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
  return lines;
}

function fortLines({ data, table, side }: FormInput, pay: 'vp' | 'points'): string[] {
  return unplacedForts(data, table, side, pay).flatMap((fort) => {
    const left = fortPieces(data, fort.item) - fort.hexes.length;
    return comment(`PLACE ${fort.item} and ${left} hexes of your zone; the service places what you leave out`);
  });
}

function reportLines({ table, side }: FormInput): string[] {
  const number = table.campaign.battle;
  const lines = ['# take away the # before the line that is true'];
  if (table.battle.reports[enemyOf(side)]) lines.push(`# CONFIRM BATTLE ${number}`);
  return [
    ...lines,
    `# REPORT BATTLE ${number} WINNER AMERICAN`,
    `# REPORT BATTLE ${number} WINNER GERMAN`,
    '# you may add at its end: VP 12 NOTE "a line for the diary"',
  ];
}

function afterParts({ data, table, side }: FormInput): Line[] {
  const { after, campaign } = table;
  if (!after) return [];
  const subject =
    (what: string) =>
    (order: CampaignOrder): boolean =>
      order.verb === 'CHOOSE' && order.what === what;
  const name = (letter: string): string =>
    letter === 'choice' || letter === 'none' ? letter : sectionName(data, campaign, side, letter);
  const parts: Line[] = [];
  if (side === after.winner) {
    const options = qualityOptions(campaign, side).map((option) => option.toUpperCase());
    parts.push({
      subject: subject('quality'),
      lines: [...comment(`quality: ${options.join(', ')}`), 'CHOOSE QUALITY NONE'],
    });
    const rolls = requestOf(after, side).map(
      (roll, i) => `${i + 1}: ${roll.dice.join('+')} ${name(roll.names)}, ${boxWord(table, side, roll.names)}`,
    );
    parts.push({
      subject: subject('request'),
      lines: [...comment(`requests: ${rolls.join('; ')}`), 'CHOOSE REQUEST 1'],
    });
  }
  if (side === 'german' && after.rest) {
    const tired = restCandidates(campaign, after.rest);
    const lines = tired.length > 0 ? [...comment(`may rest: ${tired.map(name).join(', ')}`), 'CHOOSE REST NONE'] : [];
    parts.push({ subject: subject('rest'), lines });
  }
  if (requestOf(after, side).some((roll) => roll.names === 'choice')) {
    const choices = leaderChoices(campaign, after, side);
    if (choices.length > 0)
      parts.push({
        subject: subject('leader'),
        lines: [...comment(`free choice of: ${choices.map(name).join(', ')}`), `CHOOSE LEADER ${choices[0]}`],
      });
  }
  return [...parts, { subject: verb('REOPEN'), lines: reopenLines(table, after.battle) }];
}

function reopenLines(table: Table, battle: number): string[] {
  return table.before
    ? [`# was battle ${battle} closed by mistake? both of you must ask:`, `# REOPEN BATTLE ${battle}`]
    : [];
}

function boxWord(table: Table, side: Side, letter: string): string {
  if (letter === 'none') return 'nothing';
  return letter === 'choice' ? 'any one who is available' : (table.campaign.boxes[side][letter] ?? 'available');
}
