/** How long the orders of a mail may be: the rules and the scenario say how many lines, mail and filing how much text. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { View } from '../../../src/kernel/types.ts';
import { PART_TEXT_MAX } from '../../../src/mail/bytes/charset.ts';
import { type TestDatabase, testDatabase } from '../../helpers/db.ts';
import { letter, RED, startRace, testService, textOf, tinyScenarios } from '../../helpers/service.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const LINES_MOST = 1500;
const LONG_FORM = ['TURN 1', 'RUN STEADY', 'RUN FAST', 'RUN JUMP', 'FINAL', 'END'];

/** The race with so many lines a mail, and a form that folds. */
async function longRace() {
  const store = tinyScenarios();
  const open = (id: string) => {
    const found = store.open(id);
    const { rules } = found;
    const report: typeof rules.report = (view: View, events, filed) => ({
      ...rules.report(view, events, filed),
      fullForm: LONG_FORM,
    });
    return { ...found, rules: { ...rules, report, linesMost: LINES_MOST } };
  };
  const one = testService(database.db, { scenarios: { ...store, open } });
  const race = await startRace(one, { deadlineRule: null });
  await one.settle();
  const answered = async (lines: readonly string[]): Promise<string> => {
    one.sent.length = 0;
    await one.receive(letter(RED, race.address.red, [`GAME ${race.ref}`, ...lines]));
    return textOf(one.sent.at(-1)!.raw).replace(/\s+/g, ' ');
  };
  return { one, race, answered };
}

/** A block of so many lines with its header, and END. */
const block = (lines: number): string[] => [...Array<string>(lines - 2).fill('RUN FAST'), 'RUN STEADY', 'END'];

test('as many lines as the scenario allows are read to the last one; one more files nothing, and the number is said', async () => {
  const { answered } = await longRace();
  const whole = await answered(block(LINES_MOST));
  expect(whole).toContain(`${LINES_MOST} ok RUN STEADY`);
  const many = await answered(block(LINES_MOST + 1));
  expect(many).toContain(`this mail has ${LINES_MOST + 1} order lines; at most ${LINES_MOST} are read`);
  expect(many).not.toContain('ok RUN');
});

test('whatever the lines: orders that go on where reading stops file nothing; a block that ends before it stands', async () => {
  const { answered } = await longRace();
  const filler = (size: number): string[] => Array<string>(Math.ceil(size / 200)).fill(`// ${'x'.repeat(196)}`);
  expect(await answered(['RUN FAST', ...filler(PART_TEXT_MAX / 2), 'RUN STEADY', 'END'])).toContain('ok RUN STEADY');
  const long = await answered(['RUN FAST', ...filler(PART_TEXT_MAX), 'RUN STEADY', 'END']);
  expect(long).toContain('its orders go on where reading stops; nothing was filed');
  expect(long).not.toContain('ok RUN');
  // What follows END may be as long as the mail: an old thread, quoted below.
  expect(await answered(['RUN FAST', 'END', ...filler(PART_TEXT_MAX)])).toContain('ok RUN FAST');
});

test('FORM sends the form that folds, FORM FULL the one with every line; sent back as it is it files as it stands', async () => {
  const { answered } = await longRace();
  const short = await answered(['FORM']);
  expect(short).toContain('TURN 1 RUN STEADY FINAL END');
  const full = await answered(['FORM FULL']);
  expect(full).toContain(LONG_FORM.join(' '));
  expect(await answered(LONG_FORM)).toContain('ok RUN JUMP');
});
