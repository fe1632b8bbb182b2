/** `broadside doctor signature`, from what is pasted to what is said. */
import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formEncode, type Pair, type SigningCredentials, signRequest } from '@broadside/core/auth';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptyDirectory, type Outside, runCli } from '../testing/run-cli.ts';
import { width } from '../text.ts';

const credentials = {
  base_url: 'http://127.0.0.1:8000',
  ads_base_url: 'http://127.0.0.1:8001',
  consumer_key: 'ck_0123456789abcdef',
  consumer_secret: 'APP/HIDDEN',
  access_token: '15-AccessTokenValue',
  access_token_secret: 'TKN&HIDDEN',
};
const signer: SigningCredentials = {
  consumerKey: credentials.consumer_key,
  consumerSecret: credentials.consumer_secret,
  token: credentials.access_token,
  tokenSecret: credentials.access_token_secret,
};
const SECRETS = ['HIDDEN', 'SECRET-OF-ANOTHER'];
const timestamp = 1_700_000_000;
const form: Pair[] = [
  ['name', 'Ladies + Gentlemen'],
  ['daily_budget_amount_local_micro', '55000000'],
];
const url = 'http://127.0.0.1:8001/12/accounts/18ce54d4x5t/campaigns';

let home: string;
let outside: Outside & { env: Record<string, string> };

beforeEach(() => {
  home = emptyDirectory();
  const file = path.join(home, 'credentials.json');
  writeFileSync(file, JSON.stringify(credentials), { mode: 0o600 });
  outside = { cwd: home, env: { XDG_CONFIG_HOME: home, BROADSIDE_CREDENTIALS: file } };
});

interface Made {
  readonly url?: string;
  readonly signedUrl?: string;
  readonly signedForm?: readonly Pair[];
  readonly signer?: SigningCredentials;
}

/** A command line that sends a signed request, in which what was signed may be something else. */
async function curl(made: Made = {}): Promise<string> {
  const { authorization } = await signRequest({
    method: 'POST',
    url: made.signedUrl ?? made.url ?? url,
    form: made.signedForm ?? form,
    credentials: made.signer ?? signer,
    nonce: 'n0nceABC123',
    timestamp,
    hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
  });
  return `curl -X POST '${made.url ?? url}' -H 'Authorization: ${authorization}' --data-raw '${formEncode(form)}'`;
}

async function doctor(stdin: string, line = '', more: Outside = {}) {
  const { env, ...others } = more;
  const words = ['doctor', 'signature', ...line.split(' ').filter((word) => word !== '')];
  const outcome = await runCli(words, { ...outside, stdin, ...others, env: { ...outside.env, ...env } });
  for (const secret of SECRETS) expect(outcome.stdout + outcome.stderr).not.toContain(secret);
  return outcome;
}

async function found(stdin: string, line = '', more: Outside = {}) {
  const { code, stdout, stderr } = await doctor(stdin, `--json ${line}`, more);
  expect(stdout, stderr).not.toBe('');
  const { verdict, findings, ...rest } = JSON.parse(stdout);
  const mistakes = findings.map(({ mistake }: { mistake: string }) => mistake);
  const details = findings.map(({ detail }: { detail?: string }) => detail);
  return { code, verdict, mistakes, details, ...rest };
}

describe('the verdict and the exit code', () => {
  test('a request that is right', async () => {
    expect(await found(await curl())).toMatchObject({
      code: 0,
      verdict: 'valid',
      mistakes: [],
      request: 'POST /12/accounts/18ce54d4x5t/campaigns',
      base_url: 'http://127.0.0.1:8001',
      secrets_from: path.join(home, 'credentials.json'),
      time: 'not judged',
      notes: [],
    });
  });

  test('a known mistake', async () => {
    const { code, stdout, stderr } = await doctor(await curl({ signedForm: [] }));
    expect({ code, stderr }).toEqual({ code: 7, stderr: '' });
    expect(stdout).toContain('Rejected for this reason\n');
    expect(await found(await curl({ signedForm: [] }))).toMatchObject({ code: 7, verdict: 'explained' });
  });

  test('nothing that is known', async () => {
    const signedForm: Pair[] = [...form, ['never', 'sent']];
    const { code, stdout } = await doctor(await curl({ signedForm }));
    expect(code).toBe(8);
    expect(stdout).toContain('What to look at\n  - Most likely a secret is wrong');
    expect(stdout).toContain('The base string to sign\nPOST&http%3A%2F%2F127.0.0.1%3A8001%2F12');
  });

  test('no signature, and one that cannot be read', async () => {
    expect(await found(`curl ${url}`)).toMatchObject({ code: 7, verdict: 'unsigned', mistakes: ['not_signed'] });
    expect(await found(`curl ${url} -H 'Authorization: OAuth oauth_consumer_key=x'`)).toMatchObject({
      code: 7,
      verdict: 'malformed',
    });
  });

  test('nothing that is a request: usage', async () => {
    expect(await doctor('hello')).toMatchObject({ code: 2, stdout: '' });
    expect(await doctor('', 'nowhere.txt')).toMatchObject({ code: 2, stderr: expect.stringContaining('nowhere.txt') });
  });
});

test('the request may come from a file, and as text or JSON', async () => {
  const line = await curl();
  const [, authorization = ''] = /Authorization: ([^']*)/.exec(line) ?? [];
  const type = 'application/x-www-form-urlencoded';
  const body = formEncode(form);
  const file = path.join(home, 'request.txt');
  writeFileSync(file, line);
  expect(await found('', file)).toMatchObject({ code: 0 });
  const text = `POST /12/accounts/18ce54d4x5t/campaigns HTTP/1.1\r\nHost: 127.0.0.1:8001\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}\r\n\r\n${body}\n`;
  expect(await found(text)).toMatchObject({ code: 0 });
  const headers = { authorization, 'content-type': type };
  expect(await found(JSON.stringify({ method: 'POST', url, headers, body }))).toMatchObject({ code: 0 });
});

describe('the address', () => {
  test('under another name of this machine is distinguished from the name of the server', async () => {
    const local = url.replace('127.0.0.1', 'localhost');
    expect(await found(await curl({ url: local }))).toMatchObject({
      code: 7,
      base_url: 'http://127.0.0.1:8001',
      notes: [expect.stringContaining('The request went to localhost:8001')],
    });
    expect(await found(await curl({ url: local, signedUrl: url }))).toMatchObject({ code: 0 });
  });

  test('may be named, for a server behind a proxy', async () => {
    const inside = url.replace('http://127.0.0.1:8001', 'http://backend:9000');
    const outsideUrl = url.replace('http://127.0.0.1:8001', 'https://ads.example.com');
    const made = await curl({ url: inside, signedUrl: outsideUrl });
    expect(await found(made, '--base-url https://ads.example.com')).toMatchObject({ code: 0 });
    expect(await found(made)).toMatchObject({ notes: [expect.stringContaining('--base-url')] });
    expect(await found(await curl({ url: inside }), '--base-url https://ads.example.com')).toMatchObject({ code: 7 });
  });

  test('of a text without scheme is that of the credentials, or of --scheme', async () => {
    const line = await curl();
    const [, authorization = ''] = /Authorization: ([^']*)/.exec(line) ?? [];
    const lines = [
      'POST /12/accounts/18ce54d4x5t/campaigns',
      'Host: 127.0.0.1:8001',
      `Authorization: ${authorization}`,
    ];
    const text = `${lines.join('\n')}\nContent-Type: application/x-www-form-urlencoded\n\n${formEncode(form)}`;
    expect(await found(text)).toMatchObject({ code: 0 });
    expect(await found(text, '--scheme https')).toMatchObject({ code: 7, base_url: 'https://127.0.0.1:8001' });
    expect(await doctor('GET /a')).toMatchObject({ code: 2, stderr: expect.stringContaining('--base-url') });
  });
});

describe('the time', () => {
  test('is checked only on request', async () => {
    const now = () => (timestamp + 3_000) * 1000;
    const line = await curl();
    expect(await found(line, '', { now })).toMatchObject({ mistakes: [] });
    expect(await found(line, '--at now', { now })).toMatchObject({ code: 7, mistakes: ['clock_skew'] });
    expect(await found(line, `--at ${timestamp + 60}`, { now })).toMatchObject({ code: 0 });
    expect(await found(line, '--at 2023-11-14T22:14:00Z')).toMatchObject({
      code: 0,
      time: 'judged at 2023-11-14T22:14:00Z',
    });
    expect(await doctor(line, '--at yesterday')).toMatchObject({ code: 2 });
  });
});

describe('the secrets', () => {
  const other = { ...signer, consumerKey: 'other', consumerSecret: 'SECRET-OF-ANOTHER', token: 'T', tokenSecret: 'x' };

  test('come from any profile that has the key and the token', async () => {
    mkdirSync(path.join(home, 'broadside'));
    const values = {
      consumer_key: 'other',
      consumer_secret: 'SECRET-OF-ANOTHER',
      access_token: 'T',
      access_token_secret: 'x',
    };
    writeFileSync(path.join(home, 'broadside/profiles.json'), JSON.stringify({ profiles: { work: values } }));
    expect(await found(await curl({ signer: other }))).toMatchObject({ code: 0, secrets_from: 'profile work' });
    const mixed = { ...signer, consumerSecret: 'SECRET-OF-ANOTHER' };
    expect(await found(await curl({ signer: mixed }))).toMatchObject({
      code: 7,
      mistakes: ['wrong_consumer_secret'],
      details: [expect.stringContaining('profile work')],
    });
  });

  test('come from the environment, or are asked for at a terminal', async () => {
    const line = await curl({ signer: other });
    expect(await doctor(line)).toMatchObject({ code: 2, stderr: expect.stringContaining('BROADSIDE_CONSUMER_SECRET') });
    const env = { BROADSIDE_CONSUMER_SECRET: 'SECRET-OF-ANOTHER', BROADSIDE_TOKEN_SECRET: 'x' };
    expect(await found(line, '', { env })).toMatchObject({ code: 0, secrets_from: Object.keys(env).join(', ') });
    const typed = await doctor(line, '', { typed: ['SECRET-OF-ANOTHER', 'x'], columns: 80 });
    expect(typed).toMatchObject({
      code: 0,
      stderr:
        'Paste the request, then press Ctrl-D on a line of its own:\nSecret of the consumer key other: Secret of the token T: ',
    });
  });

  test('are not asked of an app alone for a token that it has not', async () => {
    const alone = { consumerKey: signer.consumerKey, consumerSecret: signer.consumerSecret };
    expect(await found(await curl({ signer: alone }))).toMatchObject({ code: 0 });
  });
});

test.each([60, 80, 133])('at a terminal of %d columns the difference is marked where it is', async (columns) => {
  const line = await curl({ signedUrl: url.replace('8001', '8000') });
  const { stdout } = await doctor(line, '', { columns });
  const lines = stdout.split('\n');
  // A path is not broken, and that of a temporary directory is as long as it likes.
  const wrapped = lines.filter((text) => !text.startsWith('secrets_from'));
  expect(Math.max(...wrapped.map(width))).toBeLessThanOrEqual(columns);
  const mark = lines.findIndex((text) => /^ *\^$/.test(text));
  const column = (lines[mark] ?? '').length - 1;
  const [expected = '', signed = ''] = lines.slice(mark - 2, mark);
  expect([expected.slice(0, 8), signed.slice(0, 6)]).toEqual(['expected', 'signed']);
  expect(expected.slice(10, column)).toBe(signed.slice(10, column));
  expect([expected[column], signed[column]]).toEqual(['1', '0']);
});

test('a request with any piece cut out or put in is explained or rejected, and breaks nothing', async () => {
  const line = await curl();
  const piece = fc.oneof(
    fc.string({ maxLength: 4 }),
    fc.constantFrom('%', '"', "'", '&', '=', ',', '\n', '\\', '%zz', '\u00e9'),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(line.length), fc.nat(6), piece, async (from, length, put) => {
      const { code, stderr } = await doctor(line.slice(0, from) + put + line.slice(from + length));
      expect([0, 2, 7, 8], stderr).toContain(code);
    }),
    { numRuns: 60 },
  );
});

test('what is pasted cannot steer the terminal', async () => {
  const { stdout, stderr } = await doctor(`curl 'http://127.0.0.1:8001/\u001b[2Jx' -H 'Authorization: OAuth x'`);
  expect(stdout + stderr).not.toContain('\u001b');
});
