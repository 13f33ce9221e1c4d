/** What comes of a mail while a question is open, and of lines that were taken for chat. */
import { describe, expect, test } from 'vitest';
import type { DecisionRequest } from '../../../src/kernel/types.ts';
import { viewFor } from '../../../src/kernel/view.ts';
import { type DecidedMail, decideOrders, type HandedIn } from '../../../src/turn/filing/decision.ts';
import type { SeatDesk } from '../../../src/turn/filing/openseat.ts';
import { commandsOf, handedIn } from '../../../src/turn/intake/handed.ts';
import { readFor, type Seat, seats, wording } from '../../mail/seats.ts';

const seatOf = (side: string): Seat => seats.find((one) => one.side === side)!;
const [german, american] = [seatOf('german'), seatOf('american')];

/** A question with two choices, in words of the service. */
const CHOICES = ['report.form', 'receipt.due'];
const body: DecisionRequest = {
  id: 'q',
  to: 'german',
  kind: 'retreat',
  about: {},
  options: CHOICES.map((key, i) => ({ value: `way ${i + 1}`, words: { key: `service.${key}`, params: { due: 'x' } } })),
  min: 1,
  max: 1,
  fallback: ['way 1'],
};

async function decided(seat: Seat, text: string, asked = true, given: Partial<HandedIn> = {}): Promise<DecidedMail> {
  const { open, side, state, reference } = seat;
  const question = { id: 7, number: 3, side, decided_by: null, body };
  const ground: SeatDesk = {
    game: { ref: reference },
    phase: {
      snapshot: state,
      step: state.phase.step,
      status: asked ? 'waiting' : 'open',
      opened_at: new Date(0),
      closed_at: null,
    },
    seat: { side },
    rules: open.rules,
    scenario: open.scenario,
    before: undefined,
    standing: [],
    overtaken: false,
    requests: asked ? [question] : [],
    views: { [side]: viewFor(state, side) },
    wording,
  };
  const message = await readFor(seat, {}, text);
  const { intake } = commandsOf(message);
  const handed = handedIn({ source: 'mail', mailId: null }, message, intake, [], reference)!;
  return decideOrders(ground, { ...handed, ...given });
}

describe('a numbered line beside an open question', () => {
  test.each(['2', '2.', '(2)', '1) way 1', '2. WAY 2.', 'Hi,\n\n1\n\nKarl', 'My answer:\n2: way 2'])(
    'that fits an option is asked about: %j',
    async (text) => {
      const { decided: outcome, taken } = await decided(german, text);
      const n = /\d/.exec(text)![0];
      expect([outcome.verdict, outcome.detail.offered, taken.length]).toEqual(['quoted', [`ANSWER 3: ${n}`], 0]);
      expect(outcome.detail.hints).toMatchObject([{ key: 'post.answer meant', params: { line: `ANSWER 3: ${n}` } }]);
    },
  );

  test.each(['3', '1. way 2', '1st of May', '2 beers for you'])('that fits none is named: %j', async (text) => {
    const { decided: outcome } = await decided(german, text);
    expect([outcome.verdict, outcome.detail.notRead]).toEqual(['refused', [text]]);
  });

  test('is no answer where no question is open', async () => {
    const { decided: outcome } = await decided(german, '2. way 2', false);
    expect([outcome.verdict, outcome.detail.mail[0]?.code]).toEqual(['refused', 'MAIL EMPTY']);
  });

  test.each(['quoted', 'parked'] as const)(
    'an answer in a %s text is recorded only once it is accepted',
    async (offered) => {
      const { decided: outcome, taken } = await decided(german, 'ANSWER 3: 2', true, { offered });
      expect([outcome.verdict, outcome.detail.offered, taken]).toEqual([offered, ['ANSWER 3: 2'], []]);
    },
  );

  test.each(['ANSWER 3: 2', 'answer #3 2', 'ANSWER 3\n2', 'Hi,\n\nANSWER 3:\nway 2'])(
    'an answer counts at once: %j',
    async (text) => {
      const { decided: outcome, taken } = await decided(german, `${text}\n\nKarl`);
      expect([outcome.verdict, taken]).toEqual(['answered', [{ requestId: 7, chosen: ['way 2'] }]]);
    },
  );
});

describe('what was taken for chat', () => {
  test.each([
    ['SECTIONS NONE\nFINAL\n\nno, wait:\nsections krauss bowen', 'sections krauss bowen'],
    ['Hello\n\nsections krauss bowen\n\nthanks\nUwe', 'sections krauss bowen'],
  ])('but is an order as it stands, holds FINAL back: %j', async (text, line) => {
    const { decided: outcome } = await decided(american, text, false);
    expect(outcome.final).toBe(false);
    expect(outcome.detail.echo.filter(({ status }) => status === 'error')).toMatchObject([
      { text: line, diagnostics: [{ code: 'OUTSIDE THE BLOCK' }] },
    ]);
    expect(outcome.detail.notRead).not.toContain(line);
  });
});
