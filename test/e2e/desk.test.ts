/// <reference lib="dom" />
/**
 * The game master's part in a real browser: the whole way without JavaScript, then every page looked at for accessibility
 * and at the width of a small phone. `SHOTS=folder` keeps pictures.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openScenarios, SCENARIOS } from '../../src/scenarios.ts';
import { tables } from '../../src/store/db.ts';
import { deedsOf } from '../../src/turn/deeds.ts';
import { startWeb, type Web } from '../../src/web/server.ts';
import { type Correspondent, correspondent, GM } from '../helpers/club.ts';
import { type TestDatabase, testDatabase } from '../helpers/db.ts';
import { type TestService, testService } from '../helpers/service.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let database: TestDatabase;
let one: TestService;
let web: Web;
let browser: Browser;
let ref = '';
const gm: { mail?: Correspondent } = {};
let anna: Correspondent;
let bert: Correspondent;

// A machine without a browser can't look at pages; the access tests in test/web run there all the same.
if (!fs.existsSync(CHROMIUM)) console.warn(`SKIPPED: no browser at ${CHROMIUM}, so no page is looked at`);
describe.skipIf(!fs.existsSync(CHROMIUM))('the desk in a browser', () => {
  beforeAll(async () => {
    database = await testDatabase();
    one = testService(database.db, {
      scenarios: openScenarios([SCENARIOS]),
      env: { OPERATOR_EMAIL: GM, CLUB_NAME: 'Bocage Mail Club' },
    });
    web = await startWeb(one.service, deedsOf(one.service), {
      host: '127.0.0.1',
      port: 0,
      perMinute: { requests: 5000, forms: 5000 },
    });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    gm.mail = correspondent(one, GM);
    anna = correspondent(one, 'anna@players.example');
    bert = correspondent(one, 'bert@players.example');
    await gm.mail.write('SIGNUP Gina');
    await gm.mail.confirm();
  });
  afterAll(async () => {
    await browser?.close();
    await web?.close();
    await database?.close();
  });

  const base = (): string => `http://127.0.0.1:${web.port}`;

  async function signedIn(context: BrowserContext, who: Correspondent): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${base()}/signin`);
    await page.fill('#address', who.address);
    await page.click('main button');
    await one.settle();
    const code = /\/signin\/([A-Z0-9-]{14})/.exec(who.newest().text)![1];
    await page.goto(`${base()}/signin/${code}`);
    await page.click('main button');
    await page.waitForURL(`${base()}/mine`);
    return page;
  }

  /** Fills the fields of the form whose button says so, and sends it. */
  async function send(page: Page, button: string, fields: Record<string, string | true>): Promise<string> {
    const form = page.locator('form', { has: page.getByRole('button', { name: button, exact: true }) }).first();
    for (const [name, value] of Object.entries(fields)) {
      const field = form.locator(`[name="${name}"]`);
      if (value === true) await field.check();
      else if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value);
      else await field.fill(value);
    }
    await form.getByRole('button', { name: button, exact: true }).click();
    await page.waitForLoadState();
    await one.settle();
    return ((await page.locator('main').textContent()) ?? '').replace(/\s+/g, ' ');
  }

  test('a game is made, run, stopped, ruled and rewound without a line of JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await signedIn(context, gm.mail!);
    await page.goto(`${base()}/desk`);
    const made = await send(page, 'Make it', {
      scenario: 'overlord/campaign',
      rest: `3 DAYS AT 20:00 FIRST x1 SEAT allied ${anna.address} SEAT german ${bert.address}`,
    });
    ref = /OVL-\d{4}/.exec(made)![0];
    await anna.confirm();
    await bert.confirm();

    await page.goto(`${base()}/desk/${ref}`);
    expect(await page.locator('main').textContent()).toContain('missing');
    expect(
      await send(page, 'File for the seat', {
        side: 'allied',
        text: 'TURN 1\nFINAL\nEND',
        why: 'she wrote by telephone',
      }),
    ).toContain('Filed for the seat');
    await one.settle();
    await page.goto(`${base()}/desk/${ref}`);
    expect(await page.locator('main').textContent()).toContain('she wrote by telephone');

    expect(await send(page, 'Pause', { rest: 'Christmas' })).toContain('is paused');
    expect(await send(page, 'Resume', {})).toContain('goes on');
    expect(await send(page, 'Move the deadline', { when: '+2', rest: 'for the fair' })).toContain('The deadline in');
    expect(await send(page, 'Rule', { rest: 'Hexes on the border belong to the east.' })).toContain('is recorded');
    expect(await send(page, 'take back', {})).toContain('is taken back');
    expect(await send(page, 'Look', { side: 'german', why: 'a question of his' })).toContain('recorded');
    await page.goto(`${base()}/desk/${ref}`);
    expect(await send(page, 'Run the phase now', { force: true, rest: 'agreed by both' })).toContain('is being run');
    await page.goto(`${base()}/desk/${ref}`);
    expect(await send(page, 'Rewind', { n: '1', rest: 'set up again' })).toContain('at the beginning of phase 1 again');
    expect(await send(page, 'Preview', { sure: true })).toContain('as it will run');
    await page.goto(`${base()}/desk/${ref}`);
    expect(await page.locator('main').textContent()).toContain('closed for orders');
    expect(await send(page, 'Run the phase now', { force: true, rest: 'as seen' })).toContain('is being run');
    await page.goto(`${base()}/desk/${ref}`);
    expect(await send(page, 'Show what would differ', {})).toContain('comes out the same');

    const log = await tables(database.db)
      .selectFrom('action_log')
      .select(['who', 'what', 'why', 'door'])
      .where('door', '=', 'web')
      .orderBy('id')
      .execute();
    const told = log.map((row) => `${row.what}: ${row.why ?? ''}`);
    for (const deed of [
      'filed for allied: she wrote by telephone',
      'pause: Christmas',
      'deadline: for the fair',
      'process with gaps: agreed by both',
      'rewind: set up again',
    ])
      expect(told).toContain(deed);
    expect(log.every((row) => row.who.startsWith('Gina'))).toBe(true);
    expect(one.problems).toEqual([]);
    await context.close();
  }, 600_000);

  test('every page is accessible and fits a phone', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await signedIn(context, gm.mail!);
    const player = await browser.newContext();
    const hers = await signedIn(player, anna);
    const places: [Page, string, string][] = [
      [page, '/', 'home'],
      [page, '/games', 'games'],
      [page, `/games/${ref}`, 'game'],
      [page, '/help', 'help'],
      [page, '/help/overlord', 'help-overlord'],
      [page, '/about', 'about'],
      [page, '/signin', 'signin'],
      [page, '/nowhere', 'error'],
      [page, '/desk', 'desk'],
      [page, `/desk/${ref}`, 'desk-game'],
      [hers, '/mine', 'mine'],
      [hers, `/mine/${ref}`, 'seat'],
    ];
    for (const [tab, at, name] of places) {
      for (const width of [1280, 360]) {
        await tab.setViewportSize({ width, height: 900 });
        await tab.goto(`${base()}${at}`);
        const overflow = await tab.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0);
        await tab.evaluate(AXE);
        const found = await tab.evaluate(async () => {
          const axe = (
            globalThis as unknown as {
              axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
            }
          ).axe;
          const { violations } = await axe.run();
          return violations
            .filter((one) => one.impact === 'serious' || one.impact === 'critical')
            .map((one) => `${one.id}: ${one.nodes[0]?.html}`);
        });
        expect(found, `${name} at ${width}`).toEqual([]);
        if (process.env.SHOTS) {
          fs.mkdirSync(process.env.SHOTS, { recursive: true });
          await tab.screenshot({ path: path.join(process.env.SHOTS, `${name}-${width}.png`), fullPage: true });
        }
      }
    }
    await context.close();
    await player.close();
  }, 600_000);

  test('the order checker answers with the receipt, and dice are checked in the reader’s own browser', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await signedIn(context, anna);
    await page.goto(`${base()}/mine/${ref}`);
    await page.fill('#orders', 'TURN 1\nMOOVE nobody -> 1234\nEND');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const said = await page.locator('main').textContent();
    expect(said).toContain('Checked, nothing filed');
    expect(said).toContain('MOOVE nobody');
    if (process.env.SHOTS) await page.screenshot({ path: path.join(process.env.SHOTS, 'checked.png') });
    // A phase with dice: a small race's would do, but this one must have rolled something first.
    const rolled = await tables(database.db).selectFrom('phase').select('dice').where('status', '=', 'done').execute();
    if (rolled.some((row) => (row.dice ?? []).some((roll) => !roll.secret))) {
      await page.goto(`${base()}/games/${ref}`);
      const button = page.locator('#check-dice');
      if (await button.count()) {
        await button.click();
        await page.waitForFunction(() => document.getElementById('dice-said')?.textContent !== '');
        expect(await page.locator('#dice-said').textContent()).toContain('every roll are right');
      }
    }
    await context.close();
  }, 600_000);
});
