/**
 * Published clients of the service whose dialect is shipped run unmodified through `broadside proxy` against a server: each over every
 * resource that it offers and the server has. What each step came to stands in `expected`; `vitest run --update=all` with this file writes it anew.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findGo, missingPackages, runGo } from '../generated-clients/go.ts';
import { findPython } from '../support/python.ts';
import { type Absence, absences } from './absent.ts';
import { type Driven, drive } from './drive.ts';
import { maskedLines } from './masked.ts';
import { Platform } from './platform.ts';

const here = import.meta.dirname;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-go-'));
/** The command that runs a driver, or the reason why it cannot be run. */
type Driver = readonly [program: string, ...args: string[]] | { readonly missing: string };

/** The drivers by client. What they are made of is fetched first. */
const drivers: Readonly<Record<string, () => Promise<Driver>>> = {
  'twitter-ads': () => inPython('twitter-ads'),
  tweepy: () => inPython('tweepy'),
  'twitter-api-v2': async () => [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    path.join(here, 'twitter-api-v2/driver.ts'),
  ],
  go: inGo,
};

/** One environment for both. */
let environment: ReturnType<typeof findPython> | undefined;

async function inPython(client: string): Promise<Driver> {
  environment ??= findPython('published-clients', path.join(here, 'requirements.txt'));
  const python = await environment;
  return 'missing' in python ? python : [python.program, path.join(here, client, 'driver.py')];
}

async function inGo(): Promise<Driver> {
  const go = await findGo(19);
  if ('missing' in go) return go;
  const source = path.join(here, 'go');
  const missing = await missingPackages(go.program, source);
  if (missing !== undefined) return { missing };
  const program = path.join(directory, 'driver');
  await runGo(go.program, source, 'build', '-o', program, '.');
  return [program];
}

let platform: Platform;
/** All of them run at the same time, before the tests look at what they did. */
const driven = new Map<string, Promise<Driven> | { readonly missing: string }>();

beforeAll(async () => {
  const [started, found] = await Promise.all([
    Platform.start(),
    Promise.all(Object.entries(drivers).map(async ([client, find]) => [client, await find()] as const)),
  ]);
  platform = started;
  for (const [client, driver] of found) {
    if ('missing' in driver) {
      driven.set(client, driver);
      continue;
    }
    const [program, ...args] = driver;
    const run = drive(program, args, platform);
    // Its test says why it broke off.
    run.catch(() => {});
    driven.set(client, run);
  }
  await Promise.allSettled<unknown>(driven.values());
});

afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

describe.each(Object.keys(drivers))('%s', (client) => {
  async function outcome(skip: (reason: string) => never): Promise<Driven> {
    const found = await driven.get(client);
    if (found === undefined) throw new Error(`${client} did not run`);
    if (!('missing' in found)) return found;
    // CI has all of them.
    if (process.env['CI'] !== undefined) throw new Error(found.missing);
    return skip(found.missing);
  }

  test('each step has its result', async ({ skip }) => {
    const { steps } = await outcome(skip);
    const { user_id, account_id, screen_name } = platform.environment.credentials;
    const lines = maskedLines(steps, { 'the user': user_id, 'the account': account_id, 'the name': screen_name });
    await expect(lines).toMatchFileSnapshot(path.join(here, 'expected', `${client}.txt`));
  });

  test('everything that it offers is driven, or listed with the reason why not', async ({ skip }) => {
    const { offers, steps } = await outcome(skip);
    const called = new Set([...steps.keys()].flatMap((step) => step.split(' ')));
    const listed = absences[client] ?? [];
    const of = ({ names }: Absence) => offers.filter((name) => names.test(name));
    const absent = new Set(listed.flatMap(of));
    expect(offers.filter((name) => !called.has(name) && !absent.has(name))).toEqual([]);
    expect(offers.filter((name) => called.has(name) && absent.has(name))).toEqual([]);
    expect(listed.filter((absence) => of(absence).length === 0)).toEqual([]);
  });
});

test('nothing went to another host', () => {
  const rejected = platform.proxyLog.split('\n').filter((line) => line.startsWith('rejected'));
  expect(rejected).toEqual([
    expect.stringMatching(/^rejected CONNECT example.com:443: .*passes nothing on to the Internet$/),
  ]);
  expect(platform.proxyLog).not.toMatch(/502|does not trust|handshake/);
});
