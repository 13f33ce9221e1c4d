/** What the intake knows of ourselves: our addresses, our marker, and the words that open a line in one of our games. */
import { type Config, MAILBOXES } from '../../config.ts';
import { FRAME_WORDS } from '../../kernel/frame.ts';
import { grammarOf } from '../../kernel/orders.ts';
import type { Verb } from '../../kernel/types.ts';
import type { Profile } from '../../mail/profile.ts';
import { templateFolders } from '../../render/words.ts';
import type { ScenarioStore } from '../../scenarios.ts';
import { commandPatterns } from '../commandwords.ts';
import { ownLines } from './ownlines.ts';

const bySystem = new WeakMap<Profile, Map<string, Profile>>();

/** The profile for mails of one system's games: only its own verbs open a line. */
export function profileFor(service: { profile: Profile; scenarios: ScenarioStore }, systemId: string): Profile {
  const known = bySystem.get(service.profile) ?? new Map<string, Profile>();
  bySystem.set(service.profile, known);
  let profile = known.get(systemId);
  if (!profile) {
    const own = service.scenarios.list().filter(({ system }) => system.id === systemId);
    profile = { ...service.profile, ...wordsOfGames(service.scenarios, own) };
    known.set(systemId, profile);
  }
  return profile;
}

/** The words that open a line in these games, and which of them are scripts or hold a player's own words. */
function wordsOfGames(
  scenarios: ScenarioStore,
  offered: readonly { id: string }[],
): Pick<Profile, 'orderWords' | 'freeTextWords' | 'scriptWords' | 'grammarWords'> {
  const verbs = offered.flatMap(({ id }) => scenarios.open(id).rules.verbs);
  const words = (some: readonly Verb[]): string[] => [
    ...new Set(some.map(({ verb }) => verb.split(/\s+/)[0]!.toUpperCase())),
  ];
  return {
    orderWords: [...new Set([...FRAME_WORDS, ...words(verbs)])],
    freeTextWords: words(verbs.filter((verb) => verb.freeAfter !== undefined)),
    scriptWords: words(verbs.filter((verb) => verb.script)),
    grammarWords: [...grammarOf(verbs)],
  };
}

/** The profile of a club with these games. */
export function profileOf(config: Config, scenarios: ScenarioStore): Profile {
  const offered = scenarios.list();
  const prefixes = [...new Set(offered.map(({ system }) => system.prefix))].sort();
  const gameRefPattern = `(?:${prefixes.length > 0 ? prefixes.join('|') : '[A-Z]{2,4}'})-\\d{4}`;
  return {
    receivingHost: config.authservId ?? config.club.domain,
    ownDomain: config.club.domain,
    ownMailboxes: [...MAILBOXES],
    loopHeader: `X-Fieldpost-Loop: ${config.club.domain}`,
    gameRefPattern,
    ...wordsOfGames(
      scenarios,
      offered.map(({ id }) => ({ id })),
    ),
    commandPatterns: commandPatterns(),
    ownLines: ownLines(templateFolders(config.dataDir), gameRefPattern, [
      ...new Set(offered.map(({ system }) => system.id)),
    ]),
  };
}
