/**
 * Schemathesis makes requests of what the documents say, well-formed and malformed, and holds the responses against them. Each
 * run of CI sends as many as a minute allows; `npm run fuzz -- --examples 100 --seed 7` sends more.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ListenerName } from '@broadside/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { altered, type Json, operationsOf } from '../contract-testing/document.ts';
import { findPython, type Python } from '../support/python.ts';
import { type PreparedDocument, PreparedServer } from './prepared-server.ts';
import { type Budget, runSchemathesis } from './run.ts';

const {
  BROADSIDE_FUZZ_SEED: seed = '1',
  BROADSIDE_FUZZ_EXAMPLES: examples,
  BROADSIDE_FUZZ_DOCUMENT: only,
  BROADSIDE_FUZZ_OPERATION: operation,
} = process.env;

/**
 * The runs of CI. The production interface has the operations of the sandbox, with the same text (see `contract-testing`), so that what is
 * generated is sent to the sandbox only. The cases of its coverage phase, of which few could be sent, take longer to make than all others
 * together: the bounds of its parameters are tried by `walks/parameters.test.ts`, and by longer runs.
 */
const shares: Readonly<Record<ListenerName, Pick<Budget, 'examples' | 'thinning'>>> = {
  api: { examples: 3, thinning: 10 },
  ads: { examples: 0, thinning: 0 },
  sandbox: { examples: 2, thinning: 0 },
};

const all = ['api', 'ads', 'sandbox'] as const;
const names = all.filter((name) => only === undefined || name === only);
if (names.length === 0) throw new TypeError(`there is no document "${only}"; one of: ${all.join(', ')}`);

let python: Python;
let server: PreparedServer;

beforeAll(async () => {
  python = await findPython('schemathesis', path.join(import.meta.dirname, 'requirements.txt'));
  if ('program' in python) server = await PreparedServer.start(names);
});

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

function documentOf(name: ListenerName): PreparedDocument {
  const found = server.documents.find((one) => one.name === name);
  if (!found) throw new TypeError(`no document of ${name}`);
  return found;
}

describe.for(names)('the document of %s', (name) => {
  // A long run takes hours.
  test('is kept by each response, and its operations succeed', { timeout: 86_400_000 }, async ({ skip }) => {
    if ('missing' in python) return skip(python.missing);
    const share = examples === undefined ? shares[name] : { examples: Number(examples), thinning: 1 };
    const budget = { seed: Number(seed), ...share, operation };
    const document = documentOf(name);
    const outcome = await runSchemathesis(python.program, document, budget);
    const { cases, called, unsuccessful, passed, output } = outcome;
    const again = `npm run fuzz -- --document ${name} --seed ${seed} --examples ${budget.examples}`;
    process.stdout.write(
      `${name}: ${cases} requests with seed ${seed}; ${called.length - unsuccessful.length} of ${called.length} operations succeeded\n`,
    );
    expect(passed, `${output}\nAgain: ${again} [--operation campaigns.create]`).toBe(true);
    expect(unsuccessful).toEqual([]);
    if (operation === undefined) expect([...called].sort()).toEqual(Object.keys(document.operations).sort());
    expect(server.failures).toEqual([]);
  });
});

test.runIf(examples === undefined)('a response that the document does not describe is found', async ({ skip }) => {
  if ('missing' in python) return skip(python.missing);
  const document = documentOf('sandbox');
  const [id] = ['accounts.get'];
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-fuzz-'));
  try {
    const response = await fetch(`${document.origin}/openapi.json`);
    const served: Json = Object(await response.json());
    const { path: template = '' } = operationsOf(served).find((one) => one.id === id) ?? {};
    const changed = altered(served, ['paths', template, 'get', 'responses'], (responses) => {
      delete responses['200'];
    });
    const file = path.join(directory, 'openapi.json');
    writeFileSync(file, JSON.stringify(changed));
    const budget = { seed: 1, examples: 0, thinning: 0, operation: id, document: file };
    const { passed, output } = await runSchemathesis(python.program, document, budget);
    expect(passed).toBe(false);
    expect(output).toContain('Undocumented');
    expect(output).toContain('curl -X GET');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

// The rules by which failures are none, on cases that a run does not meet each time.
test.runIf(examples === undefined)('the rules hold for bodies with bytes', async ({ skip }) => {
  if ('missing' in python) return skip(python.missing);
  const args = ['-B', path.join(import.meta.dirname, 'rules_test.py')];
  const { stderr } = await promisify(execFile)(python.program, args, { cwd: import.meta.dirname });
  expect(stderr).toMatch(/^Ran [1-9]\d* tests/m);
  expect(stderr).toMatch(/^OK$/m);
});
