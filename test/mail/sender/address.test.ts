import { describe, expect, test } from 'vitest';
import {
  countMailboxes,
  isPlainAddress,
  parseMailboxes,
  parsePlusTag,
  sameAddress,
  seatAddress,
} from '../../../src/mail/sender/address.ts';
import { profile } from '../mails.ts';

describe('addresses', () => {
  test.each(['a@b', 'anna.berg+games@example.com', "o'neil@sub.example.co.uk", 'x_1=y@exa-mple.org'])(
    '%s is plain',
    (address) => expect(isPlainAddress(address)).toBe(true),
  );
  test.each([
    '',
    'anna',
    '@example.com',
    'anna@',
    'a b@example.com',
    'a@b@c',
    '"a"@example.com',
    'a@[192.0.2.1]',
    'a@example..com',
    'a@-x.com',
    'a@x-.com',
    'jörg@example.com',
    'a@exämple.com',
    '=?utf-8?Q?a?=@example.com',
    'a@example.com\r\nBcc: b@c',
    'a@example.com\n',
    'a@example.com ',
    'a,b@example.com',
    '<a@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `a@${'x.'.repeat(130)}com`,
  ])('%j is not', (address) => expect(isPlainAddress(address)).toBe(false));

  test.each([
    ['Anna <Anna@Example.com>', 'anna@example.com', 'Anna'],
    ['"Berg, \\"A\\" Anna" <a@b.c>', 'a@b.c', 'Berg, "A" Anna'],
    ['a@b.c (Anna (of Berg))', 'a@b.c', 'Anna of Berg'],
    ['  a@b.c  ', 'a@b.c', ''],
    ['eve@evil.example <a@b.c>', 'a@b.c', 'eve@evil.example'],
  ])('%j is one mailbox', (header, address, name) => {
    expect(parseMailboxes(header)).toEqual([{ address, name }]);
    expect(countMailboxes(header)).toBe(1);
  });

  test.each([
    'friends: a@b.c, d@e.f;',
    '<a@b.c> junk',
    '<a@b.c',
    '"a@b.c',
    '(a@b.c',
    '"a@b.c"',
    '<>',
    '<a@b.c>>',
    '<<a@b.c>',
  ])('%j names nobody', (header) =>
    expect(parseMailboxes(header).filter((mailbox) => mailbox.address !== null).length).toBe(
      header.includes(',') ? 0 : 0,
    ),
  );

  test('several are several, quoted commas are none', () => {
    expect(parseMailboxes('a@b.c, "x, y" <d@e.f>,, g@h.i').map((mailbox) => mailbox.address)).toEqual([
      'a@b.c',
      'd@e.f',
      'g@h.i',
    ]);
    expect(countMailboxes('<a@b.c> <d@e.f>')).toBe(2);
  });

  test('our own addresses: mailbox and tag', () => {
    expect(parsePlusTag('Orders+K7f2.x@PBEM.example.org', profile)).toEqual({ mailbox: 'orders', tag: 'k7f2.x' });
    expect(parsePlusTag('gm@pbem.example.org', profile)).toEqual({ mailbox: 'gm', tag: null });
    expect(parsePlusTag('orders+@pbem.example.org', profile)).toEqual({ mailbox: 'orders', tag: null });
    expect(parsePlusTag('orders+a+b@pbem.example.org', profile)).toEqual({ mailbox: 'orders', tag: 'a+b' });
    for (const other of [
      'bo@pbem.example.org',
      'orders@example.org',
      'orders@pbem.example.org.evil.com',
      'orders',
      'orders+x@pbem.example.org\n x',
    ])
      expect(parsePlusTag(other, profile)).toBeNull();
    expect(parsePlusTag(seatAddress('k7f2', profile), profile)).toEqual({ mailbox: 'orders', tag: 'k7f2' });
  });

  test('the same mailbox in any case', () => {
    expect(sameAddress('Anna@Example.com ', 'anna@example.COM')).toBe(true);
    expect(sameAddress('anna+x@example.com', 'anna@example.com')).toBe(false);
  });
});
