/**
 * Lines that mark where a player's own words end: signatures, attributions, forwarded and original messages, in the
 * languages of the common mail clients (corpus rule 8). All take lines in line form; all patterns are bounded.
 */

const ATTRIBUTION_LENGTH_MAX = 400;
/** An attribution may be wrapped over this many lines. */
const ATTRIBUTION_LINES_MAX = 3;
/** Lines below a `From:` in which its companion is looked for. */
const HEADER_BLOCK_LINES = 4;

/** `-- ` alone: everything below is signature. */
export function isSignature(line: string): boolean {
  return line === '--';
}

/** A line of nothing but five or more `_ - = *`. */
export function isSeparator(line: string): boolean {
  return /^[_\-=*](?: ?[_\-=*]){4,}$/.test(line);
}

const TITLES = [
  'original message|forwarded message|original mail|original email|forwarded mail|forwarded by',
  'ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|original-nachricht|ursprüngliche mail',
  "message d'origine|message original|message transféré|message transmis|message initial",
  'mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato',
  'oorspronkelijk bericht|origineel bericht|doorgestuurd bericht|mensagem original|mensagem encaminhada',
  'oprindelig meddelelse|original meddelelse|videresendt meddelelse|opprinnelig melding|videresendt melding',
  'ursprungligt meddelande|originalmeddelande|vidarebefordrat meddelande|ursprungligt brev',
  'oryginalna wiadomość|wiadomość oryginalna|wiadomość oryginał|treść przekazanej wiadomości|przekazana wiadomość|wiadomość przekazana',
  'původní zpráva|původní e-mail|přeposlaná zpráva|alkuperäinen viesti',
].join('|');
const FRAMED = new RegExp(
  `^[-_*=]{2,} ?(?:${TITLES})\\b.{0,80}$|^[-_*=]{2,} ?(?:${TITLES}) ?[-_*=]*:?$|^(?:${TITLES}) ?:?$`,
  'iu',
);
const BEGIN_FORWARDED =
  /^(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht|início da mensagem (?:reenviada|encaminhada)|start på videresendt (?:besked|melding)|vidarebefordrat brev|början på vidarebefordrat (?:brev|meddelande)|początek przekazywanej wiadomości|začátek přeposílané zprávy) ?:?$/iu;

/** `-----Original Message-----`, `---------- Forwarded message ---------` and their kin. */
export function isOldMessage(line: string): boolean {
  return line.length <= 200 && (FRAMED.test(line) || BEGIN_FORWARDED.test(line));
}

const FROM_LABEL = /^[*_]{0,2}(?:from|von|de|da|fra|från|van|od|lähettäjä)[*_]{0,2} ?:[*_]{0,2} ?\S/iu;
const SENT_LABEL =
  /^[*_]{0,2}(?:sent|date|gesendet|datum|envoyé(?: le)?|enviado(?: el| em)?|fecha|data|inviato|verzonden|sendt|dato|skickat|wysłan[oey]|data wysłania|odesláno|odeslán|lähetetty)[*_]{0,2} ?:[*_]{0,2} ?\S/iu;

/** An Outlook header block begins here: From and, close below, Sent. */
export function isHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!FROM_LABEL.test(lines[at]!)) return false;
  let seen = 0;
  for (let i = at + 1; i < lines.length && seen < HEADER_BLOCK_LINES; i++) {
    if (lines[i] === '') continue;
    seen++;
    if (SENT_LABEL.test(lines[i]!)) return true;
  }
  return false;
}

const WROTE =
  /(?:^|[\s>)\],])(?:wrote|writes|schrieb(?:en)?|geschrieben|schreibt|a écrit|écrit|écrivait|escribi[óo]|escribe|ha scritto|scritto|scrisse|schreef|geschreven|escreveu|skrev|skrifaði|napisał(?:a|\(a\)|\/a)?|pisze|napsala?(?:\(a\))?|napísala?|kirjoitti)(?:$|[\s:,])/iu;
const OPENS =
  /^(?:on|am|at|le|el|il|op|em|a|den|på|w dniu|dnia|dne|i|kl\.?|mån|tis|ons|tors?|fre|lör|sön|man|tir|lør|søn|pon|wt|śr|czw|pt|sob|niedz|po|út|st|čt|pá|so|ne|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|lun|mar|mié|jue|vie|sáb|dom|mer|gio|ven|\d{1,4}[-./])[\p{L}]*[\s.,\d]/iu;

/**
 * How many lines, from `at` on, are an attribution (`On … wrote:`); 0 for none. It holds a verb of writing and a date or
 * an address, ends in a colon and may be wrapped. `isOrderLine` tells lines that are orders, which never belong to one.
 */
export function attributionLength(
  lines: readonly string[],
  at: number,
  isOrderLine: (line: string) => boolean,
): number {
  const first = lines[at]!;
  if (first === '' || first.length > ATTRIBUTION_LENGTH_MAX || isOrderLine(first)) return 0;
  const opens = OPENS.test(first);
  if (!opens && !first.includes('@') && !WROTE.test(first)) return 0;
  let text = '';
  for (let n = 1; n <= ATTRIBUTION_LINES_MAX; n++) {
    const line = lines[at + n - 1];
    if (line === undefined || line === '' || (n > 1 && (line.startsWith('>') || isOrderLine(line)))) return 0;
    text = n === 1 ? line : `${text} ${line}`;
    if (text.length > ATTRIBUTION_LENGTH_MAX) return 0;
    if (!/ ?:$/.test(text)) continue;
    return WROTE.test(text) && /[\d@]/.test(text) && (opens || /@/.test(text)) ? n : 0;
  }
  return 0;
}

const DEVICE =
  /^(?:sent (?:from|via|with|by|using) |get outlook for |gesendet (?:von|mit|über|aus) |von mein(?:em|er) .{2,40} gesendet|(?:diese nachricht|diese e-mail) wurde von |envoyé (?:de|depuis|à partir de|avec) |enviado (?:desde|do|de|a partir do|via|con|com) |inviato (?:da|dal|con|tramite) |verzonden (?:vanaf|via|met|vanuit) |verstuurd (?:vanaf|via|met) |sendt (?:fra|med|via) |skickat från |skickad från |wysłan[oey] (?:z|ze|za pomocą|przy użyciu) |odesláno z |odesláno ze |poslané z |lähetetty )/iu;

/** `Sent from my iPhone` and what other devices write. */
export function isDeviceSignature(line: string): boolean {
  return line.length <= 100 && DEVICE.test(line);
}

/** Any armour line of PGP. */
export function isArmour(line: string): boolean {
  return /^-----(?:BEGIN|END) PGP /.test(line);
}
