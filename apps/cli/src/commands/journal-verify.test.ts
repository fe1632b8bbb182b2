/** The exit codes of `broadside journal verify`, which scripts rely on. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunningServer } from '@broadside/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { OPERATOR_TOKEN, startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, type Outcome, runCli } from '../testing/run-cli.ts';

let server: RunningServer;
const directory = emptyDirectory();

beforeAll(async () => {
  server = await startOperated(path.join(directory, '.data'), { demo: true });
});
afterAll(() => server.close());

function cli(line: string, stdin?: string, { controlUrl } = server, cwd = directory): Promise<Outcome> {
  const env = {
    XDG_CONFIG_HOME: directory,
    BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    BROADSIDE_CONTROL_PORT: new URL(controlUrl ?? '').port,
  };
  return runCli(line, { cwd, env, fetch, ...(stdin === undefined ? {} : { stdin }) });
}

const verify = (expectations: unknown) => cli('journal verify -', JSON.stringify(expectations));

test('0 when all expectations hold', async () => {
  const outcome = await verify([{ operation: 'campaigns.create', never: true }, { rule: 'no write was rejected' }]);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout.match(/^passed/gm)).toHaveLength(2);
});

test('1 when one does not, with a word on each; as JSON too', async () => {
  const expectations = [{ operation: 'campaigns.create', times: 1 }, { rule: 'no write was rejected' }];
  const outcome = await verify(expectations);
  expect(outcome).toMatchObject({ code: 1, stderr: '' });
  expect(outcome.stdout).toMatch(/^FAILED .*\n(?:.*\n)*passed /m);
  writeFileSync(path.join(directory, 'expected.json'), JSON.stringify({ expectations }));
  const { code, stdout } = await cli('journal verify expected.json --json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ passed: false, expectations: [{ passed: false }, { passed: true }] });
});

test('1 when calls that were pushed out could decide one, which is said apart', async () => {
  const place = emptyDirectory();
  const small = await startOperated(path.join(place, '.data'), { demo: true, env: { BROADSIDE_JOURNAL: 'calls=1' } });
  onTestFinished(() => small.close());
  for (const name of ['one', 'two', 'three']) await fetch(`${small.urls.sandbox}/${name}`);
  const expectations = [{ path: '/three', at_least: 1 }, 'no write was refused'];
  const { code, stdout, stderr } = await cli('journal verify -', JSON.stringify(expectations), small, place);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^passed {2}any call with path \/three.*\n(?:.*\n)*UNDECIDED {2}no write was rejected\n.*Not decided: the journal has pushed out 2 earlier requests/,
  );
  expect(stderr).toBe('The journal has pushed out 2 earlier requests; they were not looked at.\n');
});

test.each<[string, string, string | undefined, RegExp]>([
  ['is not there', 'nothing.json', undefined, /nothing\.json cannot be read/],
  ['is not JSON', '-', '{', /- is not valid JSON/],
  ['has no list', '-', '5', /expectations/],
  ['has an expectation of an unknown operation', '-', '[{"operation":"campaign.create","never":true}]', /did you mean/],
  ['has a rule that is none', '-', '[{"rule":"no write was refussed"}]', /rule/],
])('2 when the file %s', async (_, file, stdin, message) => {
  const { code, stderr, stdout } = await cli(`journal verify ${file}`, stdin);
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('4 when there is no such world', async () => {
  expect((await cli('journal verify - --world-id wnowhere', '[]')).code).toBe(4);
});
