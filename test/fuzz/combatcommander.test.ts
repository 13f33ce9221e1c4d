/**
 * Whole campaigns played by two bots who see nothing but their order forms, with every invariant checked after every phase.
 * CAMPAIGNS=500 npx vitest run test/fuzz/combatcommander.test.ts plays more of them, SEED=word others.
 */

import { expect, test } from 'vitest';
import { canonical, hashOf } from '../../src/kernel/hash.ts';
import { publicView, viewFor } from '../../src/kernel/view.ts';
import { winsOf } from '../../src/systems/combatcommander/campaign/campaignsheet.ts';
import { zoneOf } from '../../src/systems/combatcommander/campaign/placement.ts';
import { forceOf, LETTERS } from '../../src/systems/combatcommander/content/forces.ts';
import { type CampaignEvent, type CommanderSide, SIDES } from '../../src/systems/combatcommander/types.ts';
import {
  all,
  data,
  newCampaign,
  type Played,
  playFiled,
  read,
  reportText,
  rules,
  type State,
} from '../helpers/combatcommander.ts';
import { answerBy, type Chance, chanceOf, editForm, type Winner } from '../helpers/combatcommander-bot.ts';
import { formOf, heardBy } from '../helpers/play.ts';

const CAMPAIGNS = Number(process.env.CAMPAIGNS ?? 20);
const SEED = process.env.SEED ?? 'st-lo';
/** A campaign of seven battles with disputes and reopenings stays well below. */
const PHASES_MAX = 400;

function checkSheet(state: State): void {
  const { campaign, battle } = state.table;
  const { points, fought } = campaign;
  for (const side of SIDES) {
    expect(Object.keys(campaign.boxes[side]).sort()).toEqual([...LETTERS].sort());
    const fights = LETTERS.filter((letter) => campaign.boxes[side][letter] === 'battle');
    const bought = battle.bought && state.phase.step !== 'after' && state.phase.step !== 'over';
    if (state.phase.step !== 'over') expect(fights.sort()).toEqual(bought ? ['Q', ...battle.bought![side]].sort() : []);
    expect(campaign.rank[side]).toBe(Math.min(3, winsOf(fought, side)));
    expect(winsOf(fought, side)).toBeLessThanOrEqual(4);
    if (battle.bought) expect(state.hands[side]!.sealed).toBeNull();
  }
  expect(points.americanArmor >= 0 && points.americanArmor <= 5).toBe(true);
  expect(points.germanArmor >= 0 && points.germanArmor <= 1).toBe(true);
  expect(points.germanArtillery >= 0 && points.germanArtillery <= 11).toBe(true);
  expect(points.fortification >= 0 && points.fortification <= 7).toBe(true);
  expect(battle.artillery === 0 || battle.armor.german === 'none').toBe(true);
  const chits = [battle.chit, ...SIDES.map((side) => state.hands[side]!.chit), ...state.cup.chits];
  expect(new Set(chits).size).toBe(22);
  if (state.table.ended) return;
  const wins = winsOf(fought, 'american');
  const form =
    fought.length === 0 ? 'A1' : fought.at(-1)!.winner === 'american' ? `A${wins + 1}` : wins === 3 ? 'A4' : 'G1';
  expect(campaign.position).toBe(form);
}

function checkPlacement(state: State): void {
  const { battle, campaign } = state.table;
  for (const side of SIDES) {
    const placement = battle.setup[side];
    if (!placement) continue;
    const force = forceOf(data, campaign, battle, side);
    const zone = new Set(zoneOf(data, state.table, side));
    const stacks = new Map<string, number>();
    for (const piece of force) {
      const { kind } = piece.counter;
      if (kind === 'weapon') {
        const carrier = force.find((one) => one.id === placement.carry[piece.id]);
        if (carrier && /[A-GQ]/.test(piece.section)) expect(carrier.section).toBe(piece.section);
        continue;
      }
      const hex = placement.places[piece.id]!;
      expect(zone.has(hex), `${piece.id} in ${hex}`).toBe(true);
      stacks.set(hex, (stacks.get(hex) ?? 0) + data.tables.stacking.figures[kind]);
    }
    for (const [hex, figures] of stacks) expect(figures, hex).toBeLessThanOrEqual(7);
    expect(new Set(Object.values(placement.carry)).size).toBe(Object.keys(placement.carry).length);
  }
}

/** Every move of the VP marker begins where the one before ended. */
function checkMarker(before: State, events: readonly CampaignEvent[], after: State): void {
  let vp = before.table.campaign.vp;
  for (const event of events) {
    if (event.type === 'battle-opened' || event.type === 'reopened') vp = after.table.campaign.vp;
    if (!('from' in event) || typeof event.from !== 'number') continue;
    expect(event.from).toBe(vp);
    vp = event.to as number;
  }
  expect(after.table.campaign.vp).toBe(vp);
}

function playPhase(state: State, chances: Record<CommanderSide, Chance>, winner: Winner, seed: string): Played {
  const filed: Parameters<typeof playFiled>[1] = {};
  const sent = new Set<CommanderSide>();
  for (const { side, must } of rules.asks(publicView(state))) {
    const chance = chances[side as CommanderSide];
    const form = formOf(rules.report(viewFor(state, side), [], { orders: [], standing: [] }));
    for (const line of form) expect(line.length, line).toBeLessThanOrEqual(72);
    const lines = editForm(form, chance, winner);
    if (chance.draw(12) === 0 || (!must && chance.draw(2) === 0)) continue;
    const reading = read(state, side as CommanderSide, lines);
    const errors = reading.diagnostics.filter((one) => one.severity === 'error').map((one) => one.code);
    expect(errors.filter((code) => !/^(OVER VP|OVER FORT POINTS|ARTILLERY EXCLUDED BY ARMOR)$/.test(code))).toEqual([]);
    filed[side] = reading;
    sent.add(side as CommanderSide);
  }
  const answer = (request: Parameters<typeof answerBy>[1]) => answerBy(chances[request.to as CommanderSide], request);
  return playFiled(state, filed, (side) => sent.has(side), { seed, answer });
}

/** Plays one campaign to its end and gives the state and how many phases and reopenings it took. */
function campaign(word: string): { state: State; phases: number; reopened: number; rulings: number } {
  const chances = { american: chanceOf(`${word} american`), german: chanceOf(`${word} german`) };
  const fate = chanceOf(`${word} fate`);
  const winners = Array.from(
    { length: 8 },
    () => (fate.draw(2) === 0 ? 'AMERICAN' : 'GERMAN') as 'AMERICAN' | 'GERMAN',
  );
  const winner: Winner = (battle) => winners[battle]!;
  let state = newCampaign({ placement: fate.draw(4) === 0 ? 'table' : 'mail' }, { orientation: [1 + fate.draw(6)] });
  let phases = 0;
  let reopened = 0;
  let rulings = 0;
  while (rules.asks(publicView(state)).length > 0) {
    expect(phases++, word).toBeLessThan(PHASES_MAX);
    if (state.phase.step === 'ruling') {
      state.table.battle.ruling = winner(state.table.campaign.battle).toLowerCase();
      rulings++;
    }
    const played = playPhase(state, chances, winner, word);
    reopened += all(played.events, 'reopened').length;
    expect(played.state.phase.n).toBe(state.phase.n + 1);
    checkSheet(played.state);
    checkPlacement(played.state);
    checkMarker(state, played.events, played.state);
    for (const viewer of [...SIDES, 'public'] as const) {
      const heard = heardBy(viewer, played.events) as CampaignEvent[];
      expect(reportText(played.state, viewer, heard).every((line) => line !== '')).toBe(true);
    }
    if (phases % 7 === 0) expect(JSON.parse(canonical(played.state))).toEqual(played.state);
    state = played.state;
  }
  return { state, phases, reopened, rulings };
}

test(`C0.8: ${CAMPAIGNS} campaigns of two bots run to their end`, { timeout: 3_600_000 }, () => {
  let phases = 0;
  let battles = 0;
  let american = 0;
  let reopened = 0;
  let rulings = 0;
  for (let i = 0; i < CAMPAIGNS; i++) {
    const run = campaign(`${SEED} ${i}`);
    const outcome = rules.outcome(run.state);
    const { fought } = run.state.table.campaign;
    expect(fought.length >= 4 && fought.length <= 7).toBe(true);
    expect(winsOf(fought, outcome!.winner as CommanderSide)).toBe(4);
    expect(fought.at(-1)!.winner).toBe(outcome!.winner);
    phases += run.phases;
    battles += fought.length;
    reopened += run.reopened;
    rulings += run.rulings;
    if (outcome!.winner === 'american') american++;
  }
  expect(phases).toBeGreaterThan(battles * 5);
  if (process.env.CAMPAIGNS)
    process.stdout.write(
      `${CAMPAIGNS} campaigns, ${battles} battles, ${phases} phases, ${reopened} reopened, ${rulings} ruled, American wins ${american}\n`,
    );
});

test('the same campaign is the same to the last bit', () => {
  expect(hashOf(campaign(`${SEED} again`).state)).toBe(hashOf(campaign(`${SEED} again`).state));
});
