import { describe, expect, test } from 'vitest';
import { readConfig, SETTINGS } from '../src/config.ts';

describe('settings', () => {
  test('nothing set: a service on loopback with its own database and the demo club', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      databaseUrl: undefined,
      http: { host: '127.0.0.1', port: 8080 },
      smtpd: { host: '127.0.0.1', port: 2525, lmtp: false },
      club: { name: 'Fieldpost', domain: 'club.example', zone: 'UTC' },
      baseUrl: 'http://127.0.0.1:8080',
      authservId: undefined,
      demo: true,
    });
    expect(config.dataDir).toMatch(/\/data$/);
  });

  test('the operator is no mailbox of the club itself: his mails would be taken for our own', () => {
    for (const own of ['orders@club.example', 'GM@club.example', 'reports@club.example', 'bounces+x1@club.example'])
      expect(() => readConfig({ OPERATOR_EMAIL: own })).toThrow(/^OPERATOR_EMAIL must be a mailbox that you read/);
    expect(() => readConfig({ OPERATOR_EMAIL: 'gm@club.test', CLUB_DOMAIN: 'club.test' })).toThrow(/OPERATOR_EMAIL/);
    for (const other of ['me@club.example', 'gm@other.example', 'gm@mail.club.example'])
      expect(readConfig({ OPERATOR_EMAIL: other }).operatorEmail).toBe(other);
  });

  test('an empty value counts as not given', () => {
    expect(readConfig({ HTTP_PORT: '', SMTP_URL: '  ' })).toMatchObject({ http: { port: 8080 }, smtpUrl: undefined });
  });

  test('the demo is off as soon as the world can see or hear us, and never on for another host', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://db/club' }).demo).toBe(false);
    expect(readConfig({ SMTP_URL: 'smtp://mail.example' }).demo).toBe(false);
    expect(readConfig({ HTTP_HOST: '0.0.0.0' }).demo).toBe(false);
    expect(readConfig({ SMTP_URL: 'smtp://mail.example', DEMO: 'on' }).demo).toBe(true);
    expect(() => readConfig({ HTTP_HOST: '0.0.0.0', DEMO: 'on' })).toThrow(/only for loopback/);
  });

  test('all faults are told at once, one line each, and secrets are not repeated', () => {
    const bad = {
      HTTP_PORT: '80 80',
      SMTPD_PORT: '70000',
      DATABASE_URL: 'mysql://user:hunter2@db/x',
      SMTP_URL: 'not a url',
      CLUB_DOMAIN: 'club example',
      CLUB_TIMEZONE: 'Europe/Atlantis',
      OPERATOR_EMAIL: 'nobody',
      SECRET: 'short',
      SMTPD_TLS_CERT: '/no/such/file',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXIES: '10.0.0.0/33, proxy',
      RAW_MAIL_DAYS: '0',
      SMTPD_LMTP: 'maybe',
      DKIM_DOMAIN: 'club.example',
    };
    let message = '';
    try {
      readConfig(bad);
    } catch (problem) {
      message = (problem as Error).message;
    }
    const lines = message.split('\n');
    for (const name of Object.keys(bad)) expect(lines.filter((line) => line.includes(name)).length, name).toBe(1);
    expect(message).not.toMatch(/hunter2|short/);
  });

  test('it can’t be changed afterwards', () => {
    const config = readConfig({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.club)).toBe(true);
  });

  test('every setting is listed once with a line of help', () => {
    const names = SETTINGS.map((setting) => setting.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { help } of SETTINGS) expect(help.length).toBeGreaterThan(5);
  });
});
