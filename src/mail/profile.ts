/**
 * What the reading of a mail depends on: whose host, whose addresses, which words open an order line.
 * A record and nothing else, so that `read-mail` can be given another club's profile as a file.
 */
export interface Profile {
  /** The host whose `Authentication-Results` are trusted. */
  receivingHost: string;
  ownDomain: string;
  /** Local parts of the service's own mailboxes, without tags. The first one takes orders. */
  ownMailboxes: string[];
  /** `Name: value` of the header that marks every mail we send. */
  loopHeader: string;
  /** Source of a regular expression for a game reference, without anchors, upper case. */
  gameRefPattern: string;
  /** Words that open an order line, in any case. */
  orderWords: string[];
  /** Order words followed by free text (`NOTE`), where an `à` is no arrow. */
  freeTextWords: string[];
  /** Sources of regular expressions, each matching a whole mail command (`HELP`, `STATUS`, `ACCEPT \d+`). */
  commandPatterns?: string[];
  /** Order words whose lines keep a bar at the start of the line that continues them (activation scripts: `ON`). */
  scriptWords?: string[];
  /** Words of the games' grammar that may follow an order word: `BUY`, `NONE`, `RETREAT`. */
  grammarWords?: string[];
  /** Sources of regular expressions for the beginnings of lines that our own mails are made of. */
  ownLines?: string[];
}
