/** Mistakes on the command line: what is said, on which stream, with which exit code. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { emptyDirectory, runCli } from './testing/run-cli.ts';
import { version } from './version.ts';

const cwd = emptyDirectory();
const file = path.join(cwd, 'credentials.json');
writeFileSync(
  file,
  JSON.stringify({
    ads_base_url: 'http://ads.test',
    ads_sandbox_base_url: 'http://sandbox.test',
    consumer_key: 'a',
    consumer_secret: 'b',
    access_token: 'c',
    access_token_secret: 'd',
  }),
);
const outside = { cwd, env: { BROADSIDE_CREDENTIALS: file } };

test.each<[string, string]>([
  [
    'campagns list',
    'broadside: There is no command "broadside campagns"; did you mean "campaigns"?\n  broadside --help lists what there is.\n',
  ],
  [
    'campaigns lst',
    'broadside: There is no command "broadside campaigns lst"; did you mean "list"?\n  broadside campaigns --help lists what there is.\n',
  ],
  [
    'list campaigns',
    'broadside: There is no command "broadside list"; did you mean "broadside campaigns list"?\n  broadside --help lists what there is.\n',
  ],
  [
    'campaigns list --cuont 5',
    'broadside: There is no flag --cuont here; did you mean --count?\n  broadside campaigns list --help lists them all.\n',
  ],
  ['--cuont campaigns list', 'broadside: There is no flag --cuont here\n  Flags of a command stand after its words.\n'],
  [
    'campaigns get a b --account-id x',
    'broadside: broadside campaigns get does not take "b"\n  broadside campaigns get --help says what it takes.\n',
  ],
  [
    'campaigns get a --campaign-id b --account-id x',
    'broadside: --campaign-id and the word "a" name different things; give one of them\n',
  ],
  [
    'line-items create --account-id x --name n',
    'broadside: Required flags are missing:\n  --campaign-id <id>\n  --objective <value>\n  --product-type <value>\n  --placements <value,...>\n  --start-time <time>\n  --end-time <time>\n  broadside line-items create --help describes them.\n',
  ],
  [
    'campaigns create --account-id x --name n --entity-status ACTVE --daily-budget-amount-local-micro 1.5',
    'broadside: The parameters are not valid:\n  --daily-budget-amount-local-micro: Expected a whole number greater than zero, got "1.5"; amounts are in millionths: 1.5 is 1500000\n  --entity-status: Expected one of ACTIVE, DRAFT, PAUSED, got "ACTVE"\n  missing: --funding-instrument-id <id>\n  broadside campaigns create --help describes them.\n',
  ],
  [
    'campaigns list',
    'broadside: A required flag is missing:\n  --account-id <id>\n  (the credentials in use name no default account)\n  broadside campaigns list --help describes them.\n',
  ],
  [
    'campaigns list --account-id x --cursor c --with-total-count',
    'broadside: The parameters are not valid:\n  --cursor: "with_total_count" and "cursor" cannot be used together; leave one out\n  broadside campaigns list --help describes them.\n',
  ],
  ['campaigns list --account-id x --limit 0', 'broadside: --limit must be a whole number greater than zero, not "0"\n'],
  ['campaigns list --account-id x --limit 1 --all', 'broadside: --all and --limit cannot be used together\n'],
  [
    'campaigns list --account-id x --raw --all',
    '{"error":{"kind":"usage","exit_code":2,"message":"--raw shows one answer, so --limit and --all do not go with it","lines":[]}}\n',
  ],
  [
    'campaigns list --account-id x --json --quiet',
    '{"error":{"kind":"usage","exit_code":2,"message":"--json and --quiet cannot be used together","lines":[]}}\n',
  ],
  ['campaigns list --account-id x --columns nmae', 'broadside: There is no column "nmae"; did you mean "name"?\n'],
  [
    'campaigns batch --account-id x',
    'broadside: A required flag is missing:\n  --file <file> (the operations, as JSON)\n  broadside campaigns batch --help describes them.\n',
  ],
  ['campaigns batch --account-id x --data {}x', 'broadside: --data is not valid JSON: '],
  [
    'campaigns batch --account-id x --data 5',
    'broadside: The JSON must be an array of {"operation_type", "params"} objects\n',
  ],
  [
    'campaigns update c --account-id x --data {"nmae":1}',
    'broadside: The parameters are not valid:\n  "nmae" is not a parameter of campaigns.update; did you mean "name"?\n  broadside campaigns update --help describes them.\n',
  ],
  [
    'features add --account-id x --feature-keys AGE_TARGETING --no-sandbox',
    'broadside: This exists on the sandbox only; leave out --no-sandbox\n',
  ],
  ['api FETCH /x', 'broadside: "FETCH" is not a method; there are GET, POST, PUT, DELETE\n'],
  ['api GET', 'broadside: The path is missing'],
  ['api GET 12/accounts', 'broadside: The path must begin with "/", not "12/accounts"\n'],
  ['api GET /x novalue', 'broadside: "novalue" is not of the form key=value\n'],
  [
    'completion',
    'broadside: <shell> is missing: broadside completion <shell>\n  broadside completion --help says more.\n',
  ],
  ['completion tcsh', 'broadside: "tcsh" is not a shell that is known here; there are bash, zsh, fish\n'],
  ['help campaigns craete', 'broadside: There is no help on "campaigns craete"; did you mean "create"?\n'],
])('broadside %s', async (line, expected) => {
  const { code, stdout, stderr } = await runCli(line, outside);
  expect(stderr.slice(0, expected.endsWith('\n') ? undefined : expected.length)).toBe(expected);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('a group alone says on stderr what can follow', async () => {
  const { code, stdout, stderr } = await runCli('campaigns');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('broadside campaigns <command>');
});

test('--version', async () => {
  expect(await runCli('--version')).toEqual({ code: 0, stdout: `${version()}\n`, stderr: '' });
  expect(version()).toMatch(/^\d+\.\d+\.\d+/);
});

test('a bug is distinguished from a user error', async () => {
  const stdin = async () => {
    throw new RangeError('not foreseen');
  };
  const { code, stderr } = await runCli('campaigns batch --account-id x --file -', { ...outside, stdin });
  expect(code).toBe(70);
  expect(stderr).toMatch(/^broadside: a bug in the command itself: not foreseen\n {2}at /);
  expect(stderr).toContain('Please report this');
});
