/** The sentences of the rules for reading mail, each with two or more cases of its own. */
import { describe, expect, test } from 'vitest';
import { answer, mailsTo, readFor, type Seat, seats } from './seats.ts';

const seatOf = (side: string): Seat => seats.find((one) => one.side === side)!;
const [german, allied, us, american] = ['german', 'allied', 'us', 'american'].map(seatOf) as [Seat, Seat, Seat, Seat];
const edited = german.form.map((line) => line.replace('HOLD DE243', 'MOVE DE243 -> 0807')).join('\n');
const [report, receipt] = mailsTo(german).map(({ text }) => text) as [string, string];
const formLines = german.form.slice(1, -2).map((line) => line.split(' #')[0]!);
const WINMAIL =
  '--x\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\nAAAA\n--x--';
const MIXED = { 'Content-Type': 'multipart/mixed; boundary=x' };

async function reads(seat: Seat, body: string, headers: Record<string, string> = {}) {
  const message = await readFor(seat, headers, body);
  const { filed, final, errors, notRead, commands } = answer(message, seat);
  return {
    filed,
    final,
    errors: errors.map(({ code }) => code),
    notRead,
    commands: commands.map(({ text }) => text),
    asked: message.quotedForm || message.misnumbered,
    kind: message.kind,
  };
}
type Reads = Partial<Awaited<ReturnType<typeof reads>>>;

/** Every case: what is written, what comes of it. */
function cases(sentence: string, rows: [body: string, wanted: Reads, seat?: Seat, headers?: Record<string, string>][]) {
  describe(sentence, () => {
    test.each(rows)('%j', async (body, wanted, seat = german, headers = {}) => {
      expect(await reads(seat, body, headers)).toMatchObject(wanted);
    });
  });
}

const ASKED: Reads = { asked: true, filed: [], final: false, commands: [] };
const filed = (filed: string[], final = true): Reads => ({ filed, final, errors: [], asked: false });

cases('a form below an attribution, a label run or a title line of ours is asked about', [
  [`Hi\n\nOn Mon, Nov 30, 2026 at 9:21 PM Fieldpost <orders@club.example> wrote:\n\n${edited}`, ASKED],
  [`Hi\n\nGlurb: orders@club.example\nBlarn: 30.11.2026\nXyzz: the club\n\n${edited}`, ASKED],
  [`Hi\n\nORDER FORM\n\n${edited}`, ASKED],
  [`ok\n\nReceipt 5\n\n${edited}`, ASKED],
]);

cases("a form with none of these around it is the player's own paste, whatever stands about it", [
  [`Hi Ben,\n\nhere we go\n\n${edited}\n\nBest\nKarl`, { final: true, errors: [], asked: false }],
  [german.form.join('\n'), filed(formLines)],
  [`Moin!\n${edited}\n-- \nKarl Meier\nTel. 0221 123456`, { final: true, errors: [], asked: false }],
]);

cases('unless it equals what we sent and prose stands above it', [
  [`Hi there\n\n${german.form.join('\n')}`, { filed: [], final: false, commands: [] }],
  [`Thanks a lot.\n\n${american.form.join('\n')}`, { filed: [], final: false, commands: [] }, american],
]);

cases('our own lines outside the form are dropped, one inside never for being equal to one of ours', [
  [report.replace(/^/gm, '> ').replace('HOLD DE243', 'MOVE DE243 -> 0807'), ASKED],
  ['GAME CCN-0001\nSECTIONS NONE\nFINAL\nEND', filed(['SECTIONS NONE']), american],
  ['TURN 1\nHOLD DE709\nHOLD DE243\nFINAL\nEND', filed(['HOLD DE709', 'HOLD DE243'])],
]);

cases('a single line of ours proves nothing, two whole lines do', [
  ['Receipt 5\n\nHOLD DE709\nFINAL', filed(['HOLD DE709'])],
  ['Receipt 5.\nTURN 1\nHOLD DE709\nFINAL', filed(['HOLD DE709'])],
  [`ok\n\n${receipt.split('\n').slice(0, 8).join('\n')}\nHOLD DE243`, { filed: [], notRead: ['ok'] }],
  [`ok\n\n${receipt.slice(receipt.indexOf('NO LONGER'))}`, { filed: [], notRead: ['ok'], commands: [] }],
]);

cases("a label run of frame or order words is a player's header", [
  ['GAME: OVL-0001\nTURN: 1\nSIDE: german\n\nHOLD DE709\nFINAL', filed(['HOLD DE709'])],
  ['Game: OVL-0001\nTurn: 1\nSide: German\nStep: German\nHOLD DE709\nFINAL', filed(['HOLD DE709'])],
]);

cases('a remark in parentheses holds no digit, unit, place, verb, clause or condition word', [
  ['HOLD DE709 (poor chaps)\nFINAL', filed(['HOLD DE709'])],
  ['DEPLOY US2 AT A10 (behind the hedge)', filed(['DEPLOY US2 AT A10'], false), us],
  ...['like DEPL', 'will attack later', '2 days', 'or so', 'only today', 'if clear', 'then go', 'at Caen'].map(
    (remark): [string, Reads] => [
      `HOLD DE709 (${remark})\nFINAL`,
      { filed: [], final: false, errors: ['REMARK UNCLEAR'] },
    ],
  ),
]);

cases('one full stop may end an order line', [
  ['HOLD DE243.\nMOVE DE709 -> 1106 .\nFINAL.', filed(['HOLD DE243', 'MOVE DE709 -> 1106'])],
  ['HOLD DE709..\nFINAL', { filed: [], final: false }],
]);

cases("an order with a clause that can't be read is refused whole", [
  ['INTERDICT 3113 2; ADVANC DE1\nFINAL', { filed: [], final: false, errors: ['AFTER SEMICOLON'] }, allied],
  ['INTERDICT 3814 2 ; SUPORT TAC 4', { filed: [], errors: ['AFTER SEMICOLON'] }, allied],
  ['DEPLOY US1 AT I9 ; FACING N', { filed: [], errors: ['E02'] }, us],
]);

cases('a word that is clause and verb is a clause where the order before has such a clause', [
  ['ATTACK 0907 WITH DE243/1 ; SUPPORT TAC 2', { filed: [], errors: ['NO TARGET'] }],
  ['SECTIONS C ; SECTIONS E', { errors: [] }, american],
]);

cases('typed numbers before lines must run 1, 2, 3, else they are asked about', [
  ['1. HOLD DE709\n2. HOLD DE243\nFINAL', filed(['HOLD DE709', 'HOLD DE243'])],
  ['1. HOLD DE709\n3. HOLD DE243\nFINAL', { asked: true, filed: [], final: false }],
  ['2) HOLD DE709\n1) HOLD DE243\nFINAL', { asked: true, filed: [], final: false }],
]);

cases('HOLD * is no bold', [
  ['HOLD *\nFINAL', { filed: [], final: false, errors: ['UNKNOWN UNIT'] }],
  ['HOLD * DE709 *', { filed: [], errors: ['UNKNOWN UNIT'] }],
]);

cases('without END a blank line after FINAL ends the block unless a later own line begins with an order word', [
  ['HOLD DE709\nFINAL\n\nHOLD DE243', filed(['HOLD DE709', 'HOLD DE243'])],
  ['HOLD DE709\nFINAL\n\nKarl\n-- \nHOLD DE243', filed(['HOLD DE709'])],
  ['HOLD DE709\nFINAL\n\n> HOLD DE243\n\nbye', { ...filed(['HOLD DE709']), notRead: ['bye'] }],
]);

cases('TURN n alone is a header', [
  ['TURN 1\nHOLD DE709\nFINAL', filed(['HOLD DE709'])],
  ['TURN 2\nHOLD DE709\nFINAL', { filed: [], final: false, errors: ['OTHER TURN'] }],
]);

cases('order lines below END are errors, a second block has its own header', [
  ['HOLD DE709\nFINAL\nEND\nHOLD DE243', { filed: ['HOLD DE709'], final: false, errors: ['OUTSIDE THE BLOCK'] }],
  ['HOLD DE709\nEND\n\nHLOD DE243', { filed: ['HOLD DE709'], errors: ['OUTSIDE THE BLOCK'] }],
  ['TURN 1\nHOLD DE709\nFINAL\nEND\n\nTURN 1\nHOLD DE243\nEND', filed(['HOLD DE709', 'HOLD DE243'])],
]);

cases('RESIGN, wherever it stands, is one command', [
  ['HOLD DE709\nFINAL\nEND\nRESIGN', { ...filed(['HOLD DE709']), commands: ['FINAL', 'RESIGN'] }],
  ['HOLD DE709\nRESIGN\nFINAL', { ...filed(['HOLD DE709']), commands: ['RESIGN', 'FINAL'] }],
  ['resign', { filed: [], commands: ['resign'] }, german, { Subject: 'RESIGN' }],
]);

cases('an absence notice on a list or in bulk is a robot where it holds no orders', [
  ['I am away', { kind: 'autoreply' }, german, { Precedence: 'bulk', Subject: 'Out of office' }],
  ['weg', { kind: 'autoreply' }, german, { Precedence: 'list', Subject: 'Automatische Antwort: Abwesend' }],
  ['HOLD DE709', { kind: 'orders' }, german, { Precedence: 'bulk', Subject: 'Out of office' }],
  ['hm', { kind: 'empty' }, german, { Precedence: 'bulk', Subject: 'Out of office tomorrow, so orders today' }],
]);

cases('of a mail from the null sender nothing is filed', [
  ['HOLD DE709\nFINAL', { filed: [], final: false, errors: ['MAIL NO SENDER'] }, german, { 'Return-Path': '<>' }],
  ['STATUS', { filed: [], commands: [] }, german, { 'Return-Path': '<>' }],
]);

cases('a command in the subject never hides what is wrong with the body', [
  [WINMAIL, { errors: ['MAIL TNEF'] }, german, { ...MIXED, Subject: 'orders' }],
  [WINMAIL, { errors: ['MAIL TNEF'], commands: ['status'] }, german, { ...MIXED, Subject: 'status' }],
  ['please see below\n\nUnit 243 stays.', { errors: ['MAIL EMPTY'] }, german, { Subject: 'Orders' }],
  ['', { errors: [], commands: ['STATUS'] }, german, { Subject: 'STATUS' }],
]);

cases('the same command in subject and body is obeyed once', [
  ['status', { commands: ['status'] }, german, { Subject: 'Re: STATUS' }],
  ['Help  map', { commands: ['Help map'] }, german, { Subject: 'help map' }],
]);

cases('CLEAR with orders is obeyed by them, alone it takes all back', [
  ['CLEAR\nHOLD DE709\nFINAL', filed(['HOLD DE709'])],
  ['HOLD DE709\n\nclear orders', { filed: ['HOLD DE709'], errors: [] }],
  ['CLEAR', { filed: [], errors: [] }],
]);

cases('a line of dashes is no line of ours', [
  ['---------\nHOLD DE709\nFINAL\n---------', filed(['HOLD DE709'])],
  ['*****\n\nHOLD DE709\n\n=====\nKarl', { filed: ['HOLD DE709'], notRead: ['Karl'] }],
]);

cases('an order word is no command inside a block, and nothing is sent within CHECK', [
  ['DEPLOY US1 AT I9\nPAUSE AFTER 3\nFINAL', { commands: ['FINAL'] }, us],
  ['CHECK\nHOLD DE709\n\nPRESS TO ALLIED\nhello\nENDPRESS', { filed: [], commands: ['CHECK'] }],
  ['CHECK\nHOLD DE709\nSTATUS', { filed: [], commands: ['CHECK', 'STATUS'] }],
]);
