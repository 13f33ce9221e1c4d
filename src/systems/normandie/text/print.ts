/** Orders and doctrine as text: what the receipt echoes and the next form offers. Reading it again gives the same order. */
import { never } from '../../../kernel/assert.ts';
import type {
  Action,
  Clause,
  Condition,
  Doctrine,
  FireAction,
  FireTarget,
  MoveAction,
  MoveStep,
  NormandieOrder,
  Rider,
  Rule,
  ScriptKey,
  ZoneWords,
} from '../language.ts';
import { DIRECTIONS } from './reader.ts';

/** What an order speaks for: its unit, its script, its card. A later order for the same takes its place. */
export function subjectsOf(order: NormandieOrder): string[] {
  switch (order.verb) {
    case 'TOKEN':
      return typeof order.token === 'number' ? [order.unit, `TOKEN ${order.token}`] : [order.unit];
    case 'ON':
      return [`ON ${printKey(order.on)}`];
    case 'CLAIM':
      return [`CLAIM ${typeof order.what === 'string' ? order.what.toUpperCase() : order.what.unit}`];
    case 'PLAY':
      return [`PLAY ${order.card}`];
    case 'SUPPLY':
    case 'SCOUT':
      return [`${order.verb} ${order.move.unit}`];
    case 'CONCEAL':
    case 'DEPLOY':
      return [`${order.verb} ${order.unit}`];
    case 'FOXHOLE':
      return [`FOXHOLE ${order.square}`];
    case 'RECRUIT':
      return [`RECRUIT ${order.tile}`];
    case 'DISCARD':
    case 'PAUSE':
      return [order.verb];
    default:
      return never(order, 'order');
  }
}

/** One order line as a player would write it. */
export function printOrder(order: NormandieOrder | Doctrine): string {
  switch (order.verb) {
    case 'TOKEN':
      return `TOKEN ${typeof order.token === 'number' ? order.token : order.token.toUpperCase()} ${order.unit}`;
    case 'ON':
      return `ON ${printKey(order.on)}: ${order.clauses.map(printClause).join(' | ')}`;
    case 'CLAIM': {
      const what = typeof order.what === 'string' ? order.what.toUpperCase() : order.what.unit;
      return `CLAIM ${what} WHEN ${printCondition(order.when)}`;
    }
    case 'PLAY': {
      const on = order.on ? ` ON ${order.on}` : '';
      const path = order.path ? ` -> ${order.path.join(' ')}` : '';
      return `PLAY ${order.card}${on}${path} AT ${order.at.toUpperCase()}`;
    }
    case 'SUPPLY': {
      const when = order.when ? ` IF ${printCondition(order.when)}:` : '';
      const otherwise = order.otherwise ? ` ELSE ${printSteps(order.otherwise)}` : '';
      const riders = (order.riders ?? []).map((rider) => ` ; ${printRider(rider)}`);
      return `SUPPLY${when} ${printMove(order.move)}${otherwise}${riders.join('')}`;
    }
    case 'CONCEAL':
      return `CONCEAL ${order.unit} AS ${order.letter}`;
    case 'DISCARD':
      return order.cards.length === 0 ? 'KEEP ALL' : `DISCARD ${order.cards.join(' ')}`;
    case 'PAUSE':
      return `PAUSE AFTER ${order.after}`;
    case 'DEPLOY': {
      const where = order.in ? `IN ${order.in}` : `AT ${order.at.join(' ')}`;
      const facing = order.facing === undefined ? '' : ` FACE ${DIRECTIONS[order.facing]}`;
      return `DEPLOY ${order.unit} ${where}${facing}${order.face ? ` ${order.face.toUpperCase()}` : ''}`;
    }
    case 'FOXHOLE':
      return `FOXHOLE ${order.square}`;
    case 'SCOUT':
      return `SCOUT ${printMove(order.move)}`;
    case 'RECRUIT': {
      const slots = Object.entries(order.slots).map(([slot, option]) => ` ${slot}=${option}`);
      return `RECRUIT ${order.tile}${slots.join('')}`;
    }
    case 'DOCTRINE':
      return `DOCTRINE ${order.withdraw ? `${order.key} NONE` : order.rules.map(printRule).join(' | ')}`;
    default:
      return never(order, 'printOrder');
  }
}

function printKey(key: ScriptKey): string {
  if ('n' in key) return `${key.n}`;
  return 'special' in key ? `SPECIAL ${key.special}` : key.unit;
}

/** A clause with its condition and riders. */
function printClause(clause: Clause): string {
  const parts = clause.parts.map((part) => [printAction(part.action), ...part.riders.map(printRider)].join(' ; '));
  return `${clause.when ? `IF ${printCondition(clause.when)}` : 'ELSE'}: ${parts.join(' ; ')}`;
}

/** An action without its riders. */
export function printAction(action: Action): string {
  switch (action.do) {
    case 'hold':
      return 'HOLD';
    case 'move':
      return printMove(action);
    case 'fire':
      return printFire(action);
    case 'assault': {
      const via = action.via.length > 0 ? ` VIA ${printSteps(action.via)}` : '';
      return `ASSAULT ${action.unit}${via} AT ${action.at}${action.flip ? ' FLIP START' : ''}`;
    }
    default:
      return never(action, 'printAction');
  }
}

function printMove(move: MoveAction): string {
  const steps = move.steps.length > 0 ? ` ${printSteps(move.steps)}` : '';
  const face = move.face === undefined ? '' : ` FACE ${DIRECTIONS[move.face]}`;
  return `MOVE ${move.unit} ->${steps}${face}${move.flip ? ` FLIP ${move.flip.toUpperCase()}` : ''}`;
}

/** Steps of a path, parted by blanks. */
function printSteps(steps: readonly MoveStep[]): string {
  return steps
    .map((step) => {
      switch (step.step) {
        case 'to':
          return step.square;
        case 'fwd':
        case 'back':
        case 'off':
          return step.step.toUpperCase();
        case 'pivot':
          return `PIVOT ${step.turn}${step.keep ? ` KEEP ${step.keep.toUpperCase()}` : ''}`;
        case 'in':
          return `IN ${step.unit}`;
        case 'out':
          return `OUT ${step.square}`;
        case 'push':
          return `PUSH ${step.square}`;
        default:
          return never(step, 'printSteps');
      }
    })
    .join(' ');
}

/** A fire action as written after `ON …:` or in an answer. */
export function printFire(fire: FireAction): string {
  const flame = fire.direction === undefined ? '' : ` ${DIRECTIONS[fire.direction]}`;
  const weapon = fire.weapon ? ` WITH ${fire.weapon}${flame}` : '';
  const targets = fire.targets.length > 0 ? ` AT ${fire.targets.map(printTarget).join(', ')}` : '';
  const split = fire.split ? ` SPLIT ${fire.split.join(', ')}` : '';
  return `FIRE ${fire.unit}${weapon}${targets}${fire.suppress ? ' SUPPRESS' : ''}${split}`;
}

function printTarget(target: FireTarget): string {
  switch (target.target) {
    case 'unit':
      return target.code;
    case 'place':
      return target.place;
    case 'building':
      return `BUILDING ${target.id}`;
    default:
      return target.class ? `ANY ${target.class}` : 'ANY';
  }
}

function printRider(rider: Rider): string {
  switch (rider.rider) {
    case 'fom':
      return `FOM ${rider.at} ${printFire(rider.fire)}`;
    case 'use':
      return `USE ${rider.option} ${rider.n}`;
    case 'card':
      return `CARD ${rider.card} AS ${rider.as.toUpperCase()}${rider.target ? ` ON ${rider.target}` : ''}`;
    case 'stop':
      return `STOP IF ${printCondition(rider.when)}`;
    default:
      return never(rider, 'printRider');
  }
}

function printZone(zone: ZoneWords): string {
  switch (zone.zone) {
    case 'squares':
      return zone.squares.join(', ');
    case 'block':
      return `${zone.from}:${zone.to}`;
    case 'building':
      return `BUILDING ${zone.id}`;
    case 'objective':
      return `OBJECTIVE ${zone.id}`;
    default:
      return `WITHIN ${zone.n} OF ${zone.of}`;
  }
}

const BINDS = { or: 1, and: 2, not: 3 } as const;

/** A condition with the brackets it needs. `around`: how tightly the surroundings bind. */
export function printCondition(condition: Condition, around = 0): string {
  if (condition.is === 'and' || condition.is === 'or') {
    const own = BINDS[condition.is];
    const text = condition.of.map((part) => printCondition(part, own + 0.5)).join(` ${condition.is.toUpperCase()} `);
    return own < around ? `( ${text} )` : text;
  }
  if (condition.is === 'not') return `NOT ${printCondition(condition.of, BINDS.not)}`;
  return printTest(condition as Test);
}

type Test = Exclude<Condition, { of: Condition[] } | { of: Condition }>;

function printTest(test: Test): string {
  switch (test.is) {
    case 'at':
      return `AT ${test.unit} ${printZone(test.zone)}`;
    case 'los':
      return `LOS ${test.from} ${test.to}`;
    case 'canfire':
      return `CANFIRE ${test.unit} ${test.target}`;
    case 'odds':
      return `ODDS ${test.unit} ${test.target}${test.suppress ? ' SUPPRESS' : ''} ${test.compare} ${test.value}`;
    case 'range':
      return `RANGE ${test.from} ${test.to} ${test.compare} ${test.value}`;
    case 'suppressed':
      return `SUPPRESSED ${test.unit} ${test.compare} ${test.value}`;
    case 'free':
      return `FREE ${test.square}`;
    case 'enemy':
    case 'friend':
      return `${test.is.toUpperCase()} IN ${printZone(test.zone)} ${test.compare} ${test.value}`;
    case 'shown':
      return `SHOWN ${test.side.toUpperCase()} ${test.n}`;
    case 'turn':
    case 'cards':
    case 'chance':
    case 'token':
      return `${test.is.toUpperCase()} ${test.compare} ${test.value}`;
    case 'this-odds':
    case 'this-range':
      return `${test.is === 'this-odds' ? 'ODDS' : 'RANGE'} ${test.compare} ${test.value}`;
    case 'hold':
      return `HOLD ${test.objective}`;
    case 'enters':
      return `ENTERS ${printZone(test.zone)}`;
    case 'assaults':
      return `ASSAULTS ${test.unit}`;
    case 'afterfire':
    case 'failed':
    case 'scattered':
      return test.is.toUpperCase();
    case 'loses-assault':
      return `LOSES ASSAULT ${test.unit}`;
    case 'damages':
      return `DAMAGES ${test.unit} >= ${test.part}`;
    case 'hits':
    case 'suppresses':
    case 'alive':
    case 'lost':
    case 'seen':
    case 'hit':
    case 'wrecked':
    case 'activated':
    case 'marked':
      return `${test.is.toUpperCase()} ${test.unit}`;
    default:
      return never(test, 'printTest');
  }
}

/** A doctrine line behind the word DOCTRINE. */
function printRule(rule: Rule): string {
  const when = 'when' in rule && rule.when ? ` IF ${printCondition(rule.when)}` : '';
  switch (rule.rule) {
    case 'OPFIRE': {
      const targets = rule.targets.length > 0 ? ` TARGET ${rule.targets.join(', ')}` : '';
      return `OPFIRE ${rule.who} ${rule.fire ? 'YES' : 'NO'}${when}${targets}${rule.wait > 0 ? ` WAIT ${rule.wait}` : ''}`;
    }
    case 'REROLL':
      return `REROLL ${rule.source} ${rule.whose.toUpperCase()}${when}${rule.max === null ? '' : ` MAX ${rule.max}`}`;
    case 'CARD': {
      const bonus = rule.bonus
        ? ` AS BONUS ON ${rule.bonus.type.toUpperCase()}${rule.bonus.unit ? ` ${rule.bonus.unit}` : ''}`
        : '';
      const moment = rule.window ? ` WHEN ${rule.window} ${rule.unit ?? 'ANY'}` : '';
      const path = rule.path.length > 0 ? ` -> ${rule.path.join(' ')}` : '';
      const most = rule.max === null ? '' : ` MAX ${rule.max}`;
      return `CARD ${rule.card}${bonus}${moment}${when}${path}${most}${rule.keep > 0 ? ` KEEP ${rule.keep}` : ''}`;
    }
    case 'GEAR': {
      const place = rule.in ? ` IN ${rule.in.toUpperCase()}` : '';
      const count = rule.count > 1 ? ` COUNT ${rule.count}` : '';
      return `GEAR ${rule.option} ${rule.who}${rule.when ? when : ' ALWAYS'}${place}${count}`;
    }
    case 'RETREAT': {
      const toward = rule.toward.map((direction) => DIRECTIONS[direction]).join(', ');
      return `RETREAT ${rule.who} TOWARD ${toward}${rule.cover ? ' COVER' : ''}`;
    }
    case 'DAMAGE':
      return `DAMAGE ${rule.who} PREFER ${rule.prefer.join(', ')}`;
    case 'TARGET':
      return `TARGET ${rule.who} ${rule.classes.join(', ')}`;
    case 'SPOTTED':
      return `SPOTTED ${rule.who} ${rule.do.toUpperCase()}`;
    case 'AIM':
      return `AIM ${rule.who} ${rule.at.toUpperCase()}`;
    case 'FRIGHTEN':
      return `FRIGHTEN ${rule.who} ${rule.use ? 'YES' : 'NO'}`;
    case 'ASK':
      return rule.windows.length > 0 ? `ASK ${rule.windows.join(', ')}` : 'ASK NONE';
    default:
      return never(rule, 'printRule');
  }
}
