/**
 * What costs others something has a budget: mails to an address that did not ask, links to sign in, reports once more, new
 * games. Each is counted by who wants it, by who gets it, and by the host that handed it over, and none by what a stranger
 * chooses alone: what is spent without proof never uses up what its owner may spend with it. Where the budgets can't be
 * asked, what costs is refused; orders ask for no budget.
 */
import { type Budget, type Spent, spend } from '../../store/trust/budgets.ts';
import type { Service } from '../context.ts';
import { actsAsOperator, type Errand, no, type Said } from '../errand.ts';

const DAY = 86_400;
const HALF_HOUR = 1_800;

const budget = (name: string, most: number, seconds: number): Budget => ({ name, most, seconds });

/** Mails to addresses that did not ask for them: invitations, stand-ins, new addresses. */
const ASKED = {
  by: budget('asked by', 15, DAY),
  byOperator: budget('asked by operator', 300, DAY),
  pair: budget('asked pair', 3, DAY),
  to: budget('asked to', 8, DAY),
  host: budget('asked host', 100, DAY),
};
const GAMES = { by: budget('games by', 10, DAY), byOperator: budget('games by operator', 200, DAY) };
const REPORTS = { proved: budget('report', 40, DAY), unproved: budget('report unproved', 3, DAY) };
const SIGN_INS = {
  proved: budget('desk', 10, HALF_HOUR),
  unproved: budget('desk unproved', 3, HALF_HOUR),
  page: budget('sign-in page', 3, HALF_HOUR),
  host: budget('sign-in host', 60, HALF_HOUR),
};
const SIGN_UPS = {
  proved: budget('sign-up', 5, DAY),
  unproved: budget('sign-up unproved', 5, DAY),
  host: budget('sign-up host', 60, DAY),
};

type Spender = Pick<Errand, 'service' | 'host'>;

/** Spends of each budget in turn, those without a key left out; the first that refuses says why. */
async function all(service: Service, wanted: readonly [Budget, string | number | null | undefined][]): Promise<Spent> {
  for (const [one, key] of wanted) {
    if (key === null || key === undefined || key === '') continue;
    const spent = await spend(service.db, one, String(key));
    if (spent === 'unreachable') service.log.error({ budget: one.name }, 'budgets can’t be asked: refused');
    if (spent !== 'ok') return spent;
  }
  return 'ok';
}

function refused(errand: Errand, spent: Spent): Said | undefined {
  if (spent === 'ok') return undefined;
  return no(errand, spent === 'used up' ? 'budget used up' : 'budget unreachable');
}

/** Whoever asks, as a key: the member, else the host he comes from. */
const wisher = (errand: Errand): string | number | null => errand.person?.id ?? errand.host ?? null;

/** May this person have a mail sent to that address, whose owner did not ask for it? The refusal, or nothing. */
export async function mayWriteTo(errand: Errand, address: string): Promise<Said | undefined> {
  const operator = actsAsOperator(errand);
  const by = wisher(errand);
  const spent = await all(errand.service, [
    [operator ? ASKED.byOperator : ASKED.by, by],
    [ASKED.pair, `${by ?? ''} ${address}`],
    [ASKED.to, operator ? null : address],
    [ASKED.host, operator ? null : errand.host],
  ]);
  return refused(errand, spent);
}

/** May this person make one more game today? */
export async function mayMake(errand: Errand): Promise<Said | undefined> {
  return refused(
    errand,
    await all(errand.service, [[actsAsOperator(errand) ? GAMES.byOperator : GAMES.by, wisher(errand)]]),
  );
}

/** May a report be mailed to a member once more? Without proof only a few; `prove`: then proof is asked for. */
export async function mayResend(errand: Errand, personId: number): Promise<Said | 'prove' | undefined> {
  if (errand.trusted) return refused(errand, await all(errand.service, [[REPORTS.proved, personId]]));
  return (await all(errand.service, [[REPORTS.unproved, personId]])) === 'ok' ? undefined : 'prove';
}

/** May a link to sign in be mailed to a member who asks by mail? */
export async function maySendLink(errand: Errand, personId: number): Promise<Said | undefined> {
  const own = errand.trusted ? SIGN_INS.proved : SIGN_INS.unproved;
  return refused(
    errand,
    await all(errand.service, [
      [own, personId],
      [SIGN_INS.host, errand.trusted ? null : errand.host],
    ]),
  );
}

/** The same for somebody at the page, who proves nothing: the links that he was sent are good for as long as this lasts. */
export async function maySendLinkByPage({ service, host }: Spender, personId: number): Promise<boolean> {
  const spent = await all(service, [
    [SIGN_INS.host, host],
    [SIGN_INS.page, personId],
  ]);
  return spent === 'ok';
}

/** May a code to sign up be mailed to an address that is not known here? */
export async function mayOfferSignUp(errand: Spender & Pick<Errand, 'from' | 'trusted'>): Promise<Spent> {
  return all(errand.service, [
    [SIGN_UPS.host, errand.trusted ? null : errand.host],
    [errand.trusted ? SIGN_UPS.proved : SIGN_UPS.unproved, errand.from],
  ]);
}
