/**
 * Lines that mark where a player's own words end: signatures, attributions, forwarded and original messages, in the
 * languages of the common mail clients. All take lines in line form; all patterns are bounded.
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

/** An address in brackets, as an attribution in any language names its author. */
const BRACKETED = /[<([]\s?(?:mailto:)?[^\s<>()[\]@]{1,64}@[^\s<>()[\]@]{1,190}\s?[>)\]]/;

/**
 * How many lines, from `at` on, are an attribution (`On … wrote:`); 0 for none. It ends in a colon, may be wrapped, and
 * holds a verb of writing and a date or an address, or in any language an address in brackets (or one of ours) and a
 * digit. `isOrderLine` tells lines that are orders, which never belong to one.
 */
export function attributionLength(
  lines: readonly string[],
  at: number,
  isOrderLine: (line: string) => boolean,
  isOurs: (text: string) => boolean = () => false,
): number {
  let end = at;
  while (end < at + ATTRIBUTION_LINES_MAX && !(lines[end] ?? '').endsWith(':')) {
    const line = lines[end];
    if (line === undefined || line === '' || line.length > ATTRIBUTION_LENGTH_MAX) return 0;
    end++;
  }
  const n = end - at + 1;
  if (n > ATTRIBUTION_LINES_MAX || lines[end] === undefined) return 0;
  for (let i = at; i <= end; i++) if (isOrderLine(lines[i]!) || (i > at && lines[i]!.startsWith('>'))) return 0;
  const text = lines.slice(at, end + 1).join(' ');
  if (!isAttribution(text, isOurs)) return 0;
  // The shortest one counts: what stands above it is the player's.
  return n > 1 && !OPENS.test(lines[at]!) && attributionLength(lines, at + 1, isOrderLine, isOurs) > 0 ? 0 : n;
}

function isAttribution(text: string, isOurs: (text: string) => boolean): boolean {
  if (text.length > ATTRIBUTION_LENGTH_MAX || !/[\d@]/.test(text)) return false;
  if (/\d/.test(text) && (BRACKETED.test(text) || isOurs(text))) return true;
  return WROTE.test(text) && (OPENS.test(text) || text.includes('@'));
}

const DEVICE =
  /^(?:sent (?:from|via|with|by|using) |get outlook for |gesendet (?:von|mit|über|aus) |von mein(?:em|er) .{2,40} gesendet|(?:diese nachricht|diese e-mail) wurde von |envoyé (?:de|depuis|à partir de|avec) |enviado (?:desde|do|de|a partir do|via|con|com) |inviato (?:da|dal|con|tramite) |verzonden (?:vanaf|via|met|vanuit) |verstuurd (?:vanaf|via|met) |sendt (?:fra|med|via) |skickat från |skickad från |wysłan[oey] (?:z|ze|za pomocą|przy użyciu) |odesláno z |odesláno ze |poslané z |lähetetty |отправлено (?:с|из)|надіслано з|trimis de pe |küldve |wysłane z |poslano s|enviat des |dikirim dari |đã gửi từ |στάλθηκε |发自|從我的|从我的|寄自)/iu;
/** Machines and programs that sign mails in any language. */
const DEVICE_NAME =
  /(?<![\p{L}\d])(?:iphone|ipad|android|galaxy|huawei|xiaomi|blackberry|outlook|yahoo mail|proton ?mail|aol|gmx|web\.de|mail\.ru|thunderbird|mailspring|k-9 mail|fairemail|spark|tutanota|windows mail|mobile device)(?!\p{L}*@)/iu;

/** `Sent from my iPhone` and what other devices write. */
export function isDeviceSignature(line: string): boolean {
  if (line.length > 100) return false;
  return DEVICE.test(line) || (line.length <= 60 && DEVICE_NAME.test(line) && !/->|: \S+ \S+ \S+/.test(line));
}

/** Any armour line of PGP. */
export function isArmour(line: string): boolean {
  return /^-----(?:BEGIN|END) PGP /.test(line);
}
