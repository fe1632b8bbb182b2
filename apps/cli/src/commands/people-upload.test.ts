/** Uploads of people from files: what is read, what is sent, what is said. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { COMMAND, setUp, sha256 } from '../testing/people-upload.ts';
import { runCli } from '../testing/run-cli.ts';

const ann = { email: [sha256('ann@example.com')] };
const ben = { email: [sha256('ben@example.com')] };

test('people of a file are sent, and counted', async () => {
  const { cli, list } = setUp({ 'people.csv': 'email,phone\nAnn@Example.com,+1 500 555 0100\nben@example.com,\n' });
  const outcome = await cli(['people.csv']);
  expect(outcome).toMatchObject({ code: 0, stderr: expect.stringMatching(/^100 %, 2 rows(, \d a second)?\n$/) });
  expect(outcome.stdout).toMatch(
    /^rows +2\nsent +2\nrefused +0\nrequests +1\ntime +0\.0 s\nmatched +about 1,200 people\n$/,
  );
  expect(list.requests).toEqual([
    [
      {
        operation_type: 'Update',
        params: {
          effective_at: '2026-11-01T12:00:00Z',
          expires_at: '2027-12-01T12:00:00Z',
          users: [{ ...ann, phone_number: [sha256('+15005550100')] }, ben],
        },
      },
    ],
  ]);
  expect(list.paths).toEqual([
    'POST ads.test/12/accounts/abc1/custom_audiences/1nmth/users',
    'GET ads.test/12/accounts/abc1/custom_audiences/1nmth',
  ]);
});

test('--json gives an object, --quiet nothing', async () => {
  const { cli } = setUp({ 'people.csv': 'email\nann@example.com\nnobody\n' }, { processing: 1 });
  const { code, stdout } = await cli(['people.csv', '--json']);
  expect(code).toBe(9);
  expect(JSON.parse(stdout)).toEqual({
    rows: 2,
    sent: 1,
    refused: 1,
    audience_size: null,
    requests: 1,
    targetable: false,
    reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
    problems: [{ line: 3, column: 'email', message: expect.stringContaining('e-mail address') }],
  });
  expect(await setUp({ 'p.csv': 'email\nann@example.com\n' }).cli(['p.csv', '--quiet'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

test('--wait asks until the people are matched', async () => {
  const { cli, list, slept } = setUp({ 'people.csv': 'email\nann@example.com\n' }, { processing: 3 });
  const { stdout } = await cli(['people.csv', '--wait', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ audience_size: 1200, targetable: true });
  expect(list.paths.slice(1)).toHaveLength(4);
  expect(slept).toEqual([500, 750, 1125]);
  const early = await setUp({ 'people.csv': 'email\nann@example.com\n' }, { processing: 1 }).cli(['people.csv']);
  expect(early.stdout).toMatch(/matched +not known yet; --wait waits until it is\n/);
});

describe('a file of people', () => {
  const phones = (...numbers: string[]) => ({ phone_number: numbers.map(sha256) });
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  test.each<[string, string | Uint8Array, readonly string[], readonly object[]]>([
    ['with CRLF and a byte order mark', '\ufeffemail\r\nann@example.com\r\nben@example.com\r\n', [], [ann, ben]],
    ['without a last line break', 'email\nann@example.com', [], [ann]],
    ['with old line breaks of a Mac', 'email\rann@example.com\rben@example.com', [], [ann, ben]],
    ['with quotes', '"E-Mail","Name"\n"ann@example.com","a ""b"",\nc"\n"ben@example.com",6" nails\n', [], [ann, ben]],
    ['with semicolons', 'Name;"Mail, or none";email\nAnn;x,y,z;ann@example.com\n', [], [ann]],
    ['with tabs', 'name\temail\nAnn, B\tann@example.com\n', [], [ann]],
    ['with bars', 'name|email\nAnn|ann@example.com\n', ['--delimiter', 'pipe', '--separator', ';'], [ann]],
    ['with blank lines', '\nemail,name\n\nann@example.com,A\n,,\n  \n\nben@example.com,B\n\n', [], [ann, ben]],
    ['with short lines', 'email,phone,name\nann@example.com\n', [], [ann]],
    ['with empty cells at the end', 'email\nann@example.com,,\n', [], [ann]],
    [
      'with several values in a cell',
      'email\nann@example.com | ben@example.com|\n',
      [],
      [{ email: [...ann.email, ...ben.email] }],
    ],
    [
      'with another separator',
      'email\nann@example.com;ben@example.com\n',
      ['--separator', ';'],
      [{ email: [...ann.email, ...ben.email] }],
    ],
    ['with ids of a partner, as they are', 'partner_user_id\nCrm| 7\n', [], [{ partner_user_id: ['Crm| 7'] }]],
    [
      'with several columns of a kind',
      'Mobile,phone_2,Phone 3\n+15005550100,,+15005550101\n',
      [],
      [phones('+15005550100', '+15005550101')],
    ],
    ['without a header', 'Ann,ann@example.com,x\n', ['--columns', '-,e-mail,-'], [ann]],
    ['with a header that --columns names again', 'email,name\nann@example.com,A\n', ['--columns', 'email,-'], [ann]],
    ['with hashes', `SHA256_Email\n${ann.email[0]?.toUpperCase()}\n`, ['--hashed'], [ann]],
    ['in UTF-16', utf16('email\tname\nann@example.com\tÄnn\n'), [], [ann]],
    ['compressed', gzipSync('\ufeffemail\nann@example.com\n'), [], [ann]],
    ['compressed in two parts', Buffer.concat([gzipSync('email\nann@exa'), gzipSync('mple.com\n')]), [], [ann]],
  ])('%s is read', async (_, content, flags, users) => {
    const { cli, list } = setUp({ 'people.csv': content });
    const { code, stderr } = await cli(['people.csv', ...flags]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(list.users).toEqual(users);
  });

  test('can be stdin, and come in pieces of any size', async () => {
    const content = gzipSync('email,name\nann@example.com,Änn\nben@example.com,"B\nB"\n');
    for (const size of [1, 2, 3, 7, content.length]) {
      const { cli, list } = setUp();
      const bytes = Array.from({ length: Math.ceil(content.length / size) }, (_, n) =>
        content.subarray(n * size, (n + 1) * size),
      );
      expect(await cli(['-'], { bytes })).toMatchObject({ code: 0 });
      expect(list.users).toEqual([ann, ben]);
    }
  });

  test('can have times of each row', async () => {
    const text = 'email,effective_at,expires_at\nann@example.com,2026-10-01,\nben@example.com,,2026-12-24T00:00:00Z\n';
    const { cli, list } = setUp({ 'people.csv': text });
    await cli(['people.csv']);
    expect(list.requests[0]?.map(({ params: { users: _users, ...times } }) => times)).toEqual([
      { effective_at: '2026-10-01T00:00:00Z', expires_at: '2027-12-01T12:00:00Z' },
      { effective_at: '2026-11-01T12:00:00Z', expires_at: '2026-12-24T00:00:00Z' },
    ]);
  });

  test('has columns that are left out, which is said', async () => {
    const { cli } = setUp({ 'people.csv': 'email,name,city\nann@example.com,A,B\n' });
    expect((await cli(['people.csv'])).stderr).toContain('Left out: columns name, city\n');
  });

  test.each<[string, string, readonly string[], string]>([
    ['is empty', '', [], 'people.csv is empty'],
    ['has no column of identifiers', 'SECRET,name\nx,y\n', [], 'names no kind of identifier'],
    ['begins with data', 'SECRET@example.com,Ann\n', [], '--columns email,phone_number,-'],
    ['has a quote without end', `email,name\nann@example.com,"SECRET${'\nx'.repeat(2_000_000)}`, [], 'quoted cell'],
    ['is not there', '', ['nowhere.csv'], 'nowhere.csv cannot be read'],
    ['is a folder', '', ['.'], '. cannot be read: it is a directory'],
    ['is compressed and cut off', '', ['cut.gz'], 'cut.gz'],
  ])('that %s ends with 2', async (_, content, words, said) => {
    const cut = gzipSync(`email\n${'ann@example.com\n'.repeat(1000)}`);
    const { cli, list } = setUp({ 'people.csv': content, 'cut.gz': cut.subarray(0, 40) });
    const outcome = await cli(words.length > 0 ? words : ['people.csv']);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(said);
    expect(outcome.stderr).not.toContain('SECRET');
    expect(list.requests).toEqual([]);
  });
});

describe('a dry run', () => {
  const text =
    'email,Phone\nann@example.com,\nSECRET,+15005550100\n"ben@\nSECRET",5005550100\n\n,\nann@example.com,,SECRET\nann@example.com,\n';

  test('reports bad rows by line and column, without a server and without credentials', async () => {
    const { cwd } = setUp({ 'people.csv': text });
    const outcome = await runCli('custom-audiences upload --dry-run people.csv --problems bad.csv', { cwd });
    expect(outcome.code).toBe(9);
    expect(outcome.stdout).toMatch(/^rows +5\nvalid +2\nnot valid +3\nrequests +1 would be sent\n/);
    const [first = '', ...lines] = outcome.stderr.slice(outcome.stderr.indexOf('broadside:')).trim().split('\n');
    expect(first).toBe('broadside: 4 problems; these rows would not be sent:');
    expect(lines.map((line) => line.replace(/: .*/, ''))).toEqual([
      '  line 3, email',
      '  line 4, email',
      '  line 4, Phone',
      '  line 8',
    ]);
    const written = readFileSync(path.join(cwd, 'bad.csv'), 'utf8');
    expect(written.split('\n').map((line) => line.split(',').slice(0, 2).join(','))).toEqual([
      'line,column',
      '3,email',
      '4,email',
      '4,Phone',
      '8,',
      '',
    ]);
    expect(outcome.stdout + outcome.stderr + written).not.toContain('SECRET');
  });

  test('of good rows ends with 0', async () => {
    const { cwd } = setUp({ 'people.csv': 'email\nann@example.com\n' });
    const { code, stdout } = await runCli('custom-audiences upload --dry-run people.csv --json', { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      rows: 1,
      sent: 1,
      refused: 0,
      audience_size: null,
      requests: 1,
      problems: [],
    });
  });

  test('prints twenty problems, and says how many there are', async () => {
    const { cwd } = setUp({ 'people.csv': `email\n${'nobody\n'.repeat(1_500)}` });
    const upload = 'custom-audiences upload --dry-run people.csv';
    const { stderr } = await runCli(upload, { cwd });
    expect(stderr).toMatch(
      /1500 problems;.*\n( {2}line .*\n){20} {2}and 1480 more; --problems FILE writes all of them\n$/,
    );
    const asJson = await runCli(`${upload} --json`, { cwd });
    expect(JSON.parse(asJson.stdout).problems).toHaveLength(1_000);
    const reported: unknown = JSON.parse(asJson.stderr.trimEnd().split('\n').at(-1) ?? '');
    expect(reported).toMatchObject({
      error: { kind: 'incomplete', lines: expect.toSatisfy((lines) => lines.length === 21) },
    });
  });
});

test.each<[string, readonly string[], string]>([
  ['no file', [], '<file> is missing'],
  ['no identifiers in --columns', ['people.csv', '--columns', '-,-'], 'names no kind of identifier'],
  ['an unknown kind in --columns', ['people.csv', '--columns', 'emial'], 'did you mean "email"'],
  ['an unknown delimiter', ['people.csv', '--delimiter', 'coma'], 'did you mean "comma"?'],
  ['no time', ['people.csv', '--expires-at', 'soon'], '--expires-at is a time such as'],
  ['an expiry before the beginning', ['people.csv', '--expires-at', '2026-01-01'], '"expires_at" must be later'],
  ['times of a deletion', ['people.csv', '--delete', '--expires-at', '2027-01-01'], 'no effect with --delete'],
  ['--json and --quiet', ['people.csv', '--json', '--quiet'], 'cannot be used together'],
  ['a dry run that waits', ['people.csv', '--dry-run', '--wait'], '--dry-run sends nothing'],
  ['a terminal as stdin', ['-'], 'nothing is piped'],
  ['a file of problems that cannot be written', ['people.csv', '--problems', 'no/where'], 'no/where cannot be written'],
])('%s is a mistake on the command line', async (_, words, said) => {
  const { cli, list } = setUp({ 'people.csv': 'email\nann@example.com\n' });
  const outcome = await cli(words, { typed: [] });
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toContain(said);
  expect(list.paths).toEqual([]);
});

test('an audience has to be named, and credentials have to be there', async () => {
  const { cwd } = setUp({ 'people.csv': 'email\nann@example.com\n' });
  const env = { BROADSIDE_CREDENTIALS: path.join(cwd, 'credentials.json') };
  expect(await runCli('custom-audiences upload people.csv', { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--id <id>'),
  });
  expect(await runCli([...COMMAND, 'people.csv'], { cwd })).toMatchObject({ code: 3 });
});

test('--delete removes people, with no times', async () => {
  const { cli, list } = setUp({ 'people.csv': 'email\nann@example.com\n' });
  expect(await cli(['people.csv', '--delete', '--sandbox', '--account-id', 'xyz'])).toMatchObject({ code: 0 });
  expect(list.requests).toEqual([[{ operation_type: 'Delete', params: { users: [ann] } }]]);
  expect(list.paths[0]).toBe('POST sandbox.test/12/accounts/xyz/custom_audiences/1nmth/users');
});

test('people are uploaded to the do-not-reach list of the account', async () => {
  const { cli, list } = setUp({ 'people.csv': 'email,phone,name\nann@example.com,,A\n,+15005550100,B\n' });
  const command = ['do-not-reach-lists', 'upload'];
  const outcome = await cli(['people.csv', '--json'], {}, command);
  expect(outcome).toMatchObject({ code: 0 });
  expect(JSON.parse(outcome.stdout)).toMatchObject({ rows: 2, sent: 2, refused: 0, list_size: 1200 });
  expect(list.paths).toEqual([
    'GET ads.test/12/accounts/abc1/do_not_reach_lists',
    'POST ads.test/12/batch/accounts/abc1/do_not_reach_lists/1nmtk/users',
    'GET ads.test/12/accounts/abc1/do_not_reach_lists',
  ]);
  expect(list.requests).toEqual([
    [{ operation_type: 'Update', params: { users: [ann, { phone_number: [sha256('+15005550100')] }] } }],
  ]);
  const other = await cli(['people.csv', '--effective-at', '2026-01-01'], {}, command);
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('no flag --effective-at') });
  const none = setUp({ 'people.csv': 'email\nann@example.com\n' }, { hasList: false });
  const missing = await none.cli(['people.csv'], {}, command);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('has no do-not-reach list') });
});

test('a rejection of the server is reported with its reasons', async () => {
  const rejected = { errors: [{ code: 'NOT_FOUND', message: 'There is no such audience' }], request: { params: {} } };
  const before = () => Response.json(rejected, { status: 404 });
  const { cli } = setUp({ 'people.csv': 'email\nann@example.com\n' }, { before });
  const outcome = await cli(['people.csv']);
  expect(outcome).toMatchObject({ code: 4, stdout: '' });
  expect(outcome.stderr).toContain(
    'broadside: custom_audiences.users was rejected with 404\n  NOT_FOUND: There is no such audience\n',
  );
});

test('rows that only the server rejects are named by their line', async () => {
  const errors = [{ code: 'INVALID_PARAMETER', message: 'Expected another', parameter: 'params.users[1].email[0]' }];
  const before = () =>
    Response.json({ errors: [], operation_errors: [errors], request: { params: {} } }, { status: 400 });
  const { cli } = setUp({ 'people.csv': 'email\nann@example.com\n\nben@example.com\n' }, { before });
  const outcome = await cli(['people.csv']);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain('  line 4, email: Expected another\n');
});

test('a terminal shows a bar with the rate, and what is said meanwhile does not break it', async () => {
  const busy = (index: number) =>
    index === 0 ? new Response('', { status: 429, headers: { 'retry-after': '3' } }) : undefined;
  const { cli } = setUp({ 'people.csv': 'email\nann@example.com\n' }, { before: busy });
  const { stderr } = await cli(['people.csv'], { columns: 100 });
  expect(stderr).toMatch(/The rate limit is used up; trying again in [34] s\n/);
  expect(stderr).toMatch(/\r\u001b\[K\[=+\]100 %, 1 row\n$/);
});
