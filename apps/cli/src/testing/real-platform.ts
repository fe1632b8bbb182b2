/** The setting of tests of command lines against a real platform. */
import { createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Outcome, type Outside, runCli } from './run-cli.ts';

/** The operator's token of the server. */
export const operatorToken = 'operator-token-of-the-test';
let world: TestWorld | undefined;
let funding = '';

/** The platform that the command lines reach. */
export function platform(): TestWorld {
  if (!world) throw new Error('the platform is not up');
  return world;
}

/** The funding instrument of the sandbox. */
export const fundingInstrument = () => funding;

/** Runs a command line against the platform. */
export function cli(line: string | readonly string[], more: Outside = {}): Promise<Outcome> {
  const { env, ...rest } = more;
  return runCli(line, {
    cwd: platform().directory,
    fetch: (url, init) => platform().fetch(url, init),
    now: () => platform().wallClock.now(),
    ...rest,
    env: { BROADSIDE_DATA_DIR: platform().directory, ...env },
  });
}

/** Runs a command line that must succeed, and gives what it printed. */
export async function ok(line: string | readonly string[], more: Outside = {}): Promise<string> {
  const { code, stdout, stderr } = await cli(line, more);
  expect({ code, stderr }, stderr).toMatchObject({ code: 0 });
  return stdout;
}

/** Creates a campaign in the sandbox, and gives its id. */
export async function create(name: string, ...more: string[]): Promise<string> {
  const words = ['campaigns', 'create', '--sandbox', '--quiet', '--funding-instrument-id', funding, '--name', name];
  return (await ok([...words, '--daily-budget-amount-local-micro', '55000000', ...more])).trim();
}

/** Starts a platform for the tests of a file, and stops it after them. */
export function usePlatform(): void {
  beforeAll(async () => {
    world = await createWorld({ operatorToken });
    funding = (await ok('funding-instruments list --sandbox --quiet')).trim();
  });
  afterAll(async () => {
    expect(world?.failures).toEqual([]);
    await world?.close();
  });
}
