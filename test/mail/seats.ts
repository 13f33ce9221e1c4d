/** Seats of the real games and the mails that their holders get from us, for tests of what comes back. */

import { readConfig } from '../../src/config.ts';
import type { GameState } from '../../src/kernel/types.ts';
import { viewFor } from '../../src/kernel/view.ts';
import { type InboundMessage, readInbound } from '../../src/mail/inbound.ts';
import type { Profile } from '../../src/mail/profile.ts';
import {
  type ComposedMail,
  composeNotice,
  composeReceipt,
  composeReport,
  type MailFrame,
} from '../../src/render/letters/letters.ts';
import { openWording, type Wording } from '../../src/render/words.ts';
import { type OpenScenario, openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { formSent } from '../../src/turn/intake/forms.ts';
import { profileFor, profileOf } from '../../src/turn/intake/ourselves.ts';
import { answerTo, type WouldBe } from '../../src/turn/intake/wouldbe.ts';
import { firstPhaseOf } from '../../src/turn/phase/firstphase.ts';
import { formOf } from '../helpers/play.ts';
import { mail } from './mails.ts';

export const wording: Wording = openWording();
const scenarios = openScenarios([SCENARIOS]);
const config = readConfig({ CLUB_DOMAIN: 'club.example', DATA_DIR: '/nowhere' });
const club = profileOf(config, scenarios);

export interface Seat {
  open: OpenScenario;
  side: string;
  state: GameState;
  profile: Profile;
  reference: string;
  /** Order lines that are good in that phase, header and END around them. */
  form: string[];
}

/** One seat of each system: the first side of its first scenario that gives orders. */
export const seats: Seat[] = [...new Map(scenarios.list().map((entry) => [entry.system.id, entry])).values()].flatMap(
  ({ id, system }) => {
    const open = scenarios.open(id);
    return open.scenario.sides.slice(0, 2).map(({ id: side }) => {
      const { state } = firstPhaseOf({ open, side, seed: Buffer.alloc(32, 7) });
      const form = formOf(open.rules.report(viewFor(state, side), [], { orders: [], standing: [] }));
      const profile = profileFor({ profile: club, scenarios }, system.id);
      return { open, side, state, profile, reference: `${system.prefix}-0001`, form };
    });
  },
);

/** Reads a mail for a seat as the intake does, against the form that the seat was sent. */
export function readFor(seat: Seat, headers: Record<string, string | string[]>, body: string): Promise<InboundMessage> {
  const { open, side, state } = seat;
  const raw = mail({ Subject: 'Re: your turn', ...headers }, body);
  return readInbound(raw, seat.profile, { sent: formSent(open.rules, state, side, wording) });
}

/** What the service would answer to a mail for a seat. */
export function answer(message: InboundMessage, seat: Seat): WouldBe {
  return answerTo(message, seat, wording);
}

function frameOf({ open, side, state, reference }: Seat): MailFrame {
  const named = open.scenario.sides.find((one) => one.id === side);
  const params = { turn: state.phase.turn, step: state.phase.step, turns: 28 };
  return {
    club: 'Test club',
    game: reference,
    title: open.scenario.title as string,
    side,
    sideName: (named?.name as string) ?? side,
    turnLabel: wording.say({ key: 'post.turn label of', params }),
    due: 'Monday, 7 December 2026, 20:00 CET',
    baseUrl: 'https://club.example',
  };
}

function said(key: string, params: Record<string, string | number> = {}): string {
  return wording.say({ key: `post.${key}`, params });
}

/** A question as it is mailed: choices by number, and order lines to edit. */
function asked(lines: readonly string[]): string[] {
  const choices = ['  1. Hold', '  2. Retreat', said('question answer', { number: 3 })];
  const form = [said('question form', { number: 4 }), ...lines.slice(0, 3).map((line) => `  ${line}`)];
  const otherwise = said('question fallback', { fallback: 'Hold' });
  return [
    said('question open'),
    ['3) Who?', ...choices, otherwise].join('\n'),
    ['4) Where?', ...form, otherwise].join('\n'),
  ];
}

/** A full report with its form, a receipt that lists lines and dropped ones, and a question with choices and a form. */
export function mailsTo(seat: Seat): ComposedMail[] {
  const { open, side, state } = seat;
  const report = open.rules.report(viewFor(state, side), [], { orders: [], standing: [] });
  const lines = seat.form
    .filter((line) => !/^(?:#|TURN|FINAL|END|GAME)/.test(line))
    .map((line) => line.split('#')[0]!.trim());
  const frame = frameOf(seat);
  return [
    composeReport(
      {
        frame,
        system: open.system.id,
        report,
        decisions: [],
        dice: [{ context: 'weather', sides: 6, rolls: [3] }],
        house: [],
        notices: ['Dice that anyone can check.'],
      },
      wording,
    ),
    composeReceipt(
      {
        frame,
        number: 16,
        replaced: 'nothing',
        supersedes: 15,
        hash: '0123456789abcdef',
        replyTo: { subject: 'orders', date: null, messageId: null },
        lines: lines.slice(0, 6).map((text, i) => ({ n: i + 2, text, status: i === 2 ? 'error' : 'ok', messages: [] })),
        mailProblems: [],
        dropped: lines.slice(0, 4),
        forecast: [],
        final: false,
        wait: false,
        due: frame.due,
      },
      wording,
    ),
    composeNotice({ frame, title: said('question title', { count: 1 }), paragraphs: asked(lines) }, wording),
  ];
}
