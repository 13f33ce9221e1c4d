/** What the intake knows of ourselves: our addresses, our marker, and the words that open a line in one of our games. */
import type { Config } from '../../config.ts';
import type { Profile } from '../../mail/profile.ts';
import type { ScenarioStore } from '../../scenarios.ts';
import { commandPatterns } from '../commandwords.ts';

/** The mailboxes of a club: orders (the default), the game master, where reports come from, where bounces go. */
export const MAILBOXES = ['orders', 'gm', 'reports', 'bounces'] as const;
/** Words that open a line of a block in every game. */
const FRAME_WORDS = ['GAME', 'TURN', 'BATTLE', 'SIDE', 'STEP', 'MAIL', 'ADD', 'ANSWER', 'FINAL', 'WAIT', 'END'];
/** Verbs that are followed by a player's own words. */
const FREE_TEXT_WORDS = ['NOTE'];
/** Verbs whose lines keep a bar at their start: activation scripts. */
const SCRIPT_WORDS = ['ON'];

const bySystem = new WeakMap<Profile, Map<string, Profile>>();

/** The profile for mails of one system's games: only its own verbs open a line. */
export function profileFor(service: { profile: Profile; scenarios: ScenarioStore }, systemId: string): Profile {
  const known = bySystem.get(service.profile) ?? new Map<string, Profile>();
  bySystem.set(service.profile, known);
  let profile = known.get(systemId);
  if (!profile) {
    const own = service.scenarios.list().filter(({ system }) => system.id === systemId);
    profile = { ...service.profile, orderWords: orderWords(service.scenarios, own) };
    known.set(systemId, profile);
  }
  return profile;
}

function orderWords(scenarios: ScenarioStore, offered: readonly { id: string }[]): string[] {
  const verbs = offered.flatMap(({ id }) =>
    scenarios.open(id).rules.verbs.map(({ verb }) => verb.split(/\s+/)[0]!.toUpperCase()),
  );
  return [...new Set([...FRAME_WORDS, ...verbs])];
}

/** The profile of a club with these games. */
export function profileOf(config: Config, scenarios: ScenarioStore): Profile {
  const offered = scenarios.list();
  const prefixes = [...new Set(offered.map(({ system }) => system.prefix))].sort();
  return {
    receivingHost: config.authservId,
    ownDomain: config.club.domain,
    ownMailboxes: [...MAILBOXES],
    loopHeader: `X-Fieldpost-Loop: ${config.club.domain}`,
    gameRefPattern: `(?:${prefixes.length > 0 ? prefixes.join('|') : '[A-Z]{2,4}'})-\\d{4}`,
    orderWords: orderWords(scenarios, offered),
    freeTextWords: FREE_TEXT_WORDS,
    scriptWords: SCRIPT_WORDS,
    commandPatterns: commandPatterns(),
  };
}
