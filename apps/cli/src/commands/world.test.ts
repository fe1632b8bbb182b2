/** Worlds from the command line, on a server in this process. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunningServer } from '@broadside/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, type Outcome, runCli } from '../testing/run-cli.ts';

let server: RunningServer;
const directory = emptyDirectory();
const config = emptyDirectory();
const data = path.join(directory, '.data');

beforeAll(async () => {
  server = await startOperated(data, { demo: true });
});
afterAll(() => server.close());

/** Runs a command line beside the server. */
function cli(line: string | readonly string[], columns?: number, by = fetch): Promise<Outcome> {
  const env = { XDG_CONFIG_HOME: config, BROADSIDE_OPERATOR_TOKEN: 'operator-token-of-at-least-24-characters' };
  return runCli(line, {
    cwd: directory,
    env: { ...env, BROADSIDE_CONTROL_PORT: new URL(server.controlUrl ?? '').port },
    fetch: by,
    ...(columns === undefined ? {} : { columns }),
  });
}

async function ok(line: string | readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(line);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function json(line: string) {
  return JSON.parse(await ok(`${line} --json`));
}

test('a world is made, forked by its name and used, and commands act in it until the default one is used again', async () => {
  const { id, credentials } = await json('world create --name autumn');
  expect(credentials.consumer_key.startsWith(id)).toBe(true);
  const fork = await json('world fork autumn --name other');
  expect(fork).toMatchObject({ origin: 'WORLD', origin_id: id });
  expect(await json('world use other')).toEqual({ id: fork.id, name: 'other', profile: fork.id });
  expect(await json('whoami')).toMatchObject({ world: `other (${fork.id})`, profile: fork.id, accepted: true });
  expect(await json('auth status')).toMatchObject({ world: `other (${fork.id})` });
  expect(await json('status')).toMatchObject({ world: `other (${fork.id})`, state: 'ready' });
  // What is about a world is about this one.
  expect(await json('world get')).toMatchObject({ id: fork.id });
  const line = 'campaigns list --sandbox --quiet';
  const before = (await ok(line)).trim().split('\n');
  await ok(`campaigns delete ${before[0]} --sandbox`);
  expect((await cli(line)).stdout.trim()).toBe(before.slice(1).join('\n'));
  // Credentials that are named are used as they are.
  expect(await json('whoami --credentials .data/credentials.json')).toMatchObject({ world: 'default' });
  expect((await cli('world use other --credentials .data/credentials.json')).code).toBe(2);
  expect(await json('world use default')).toEqual({ id: 'default', profile: null });
  expect(await json('whoami')).toMatchObject({ world: 'default', profile: null, accepted: true });
  expect((await ok(line)).trim()).toBe(before.join('\n'));
  expect(await json('auth list')).toEqual([]);
});

test('a snapshot is taken by `world snapshot` and restored by its name', async () => {
  const { id } = await json('world create --name kept');
  await ok('world use kept');
  const taken = JSON.parse(await ok(['world', 'snapshot', '--name', 'before the sale', '--json']));
  expect(taken).toMatchObject({ world_id: id, name: 'before the sale' });
  expect(await json('world snapshots kept')).toEqual([taken]);
  const restored = await cli(['world', 'restore', 'kept', 'before the sale'], 80);
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining(`broadside world use ${id}`) });
  // A terminal is no place for secrets.
  expect(restored.stdout).not.toContain('consumer_secret');
  expect(await json('world reset')).toMatchObject({ id });
  await ok(['snapshots', 'delete', 'before the sale']);
  expect(await json('world snapshots')).toEqual([]);
  // Its profile goes with it.
  await ok('world delete kept');
  expect(await json('whoami')).toMatchObject({ world: 'default', accepted: true });
  expect(readFileSync(path.join(config, 'broadside/profiles.json'), 'utf8')).not.toContain(id);
});

test('a world begins with one of what the flags say', async () => {
  const empty = await json('world create --name bare --empty');
  expect(empty).toMatchObject({ origin: 'EMPTY', credentials: null });
  const used = await cli('world use bare');
  expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining('has no user whose credentials') });
  expect(await json('world create --from-world bare --ttl-seconds 60')).toMatchObject({ origin_id: empty.id });
  expect(await cli('world create --empty --demo')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--demo and --empty cannot be used together'),
  });
  const bare = JSON.parse(await ok(['world', 'create', '--data', '{"empty":true}', '--json']));
  expect(bare).toMatchObject({ origin: 'EMPTY' });
});

test('a name that two worlds have is none, and what deletes a world has to name it', async () => {
  const ids = [await json('world create --empty --name twin'), await json('world create --empty --name twin')];
  const twice = await cli('world delete twin');
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('Several worlds are called "twin"') });
  for (const { id } of ids) expect(twice.stderr).toContain(id);
  expect(await cli('world delete')).toMatchObject({ code: 2, stderr: expect.stringContaining('--world-id') });
  expect(await cli('world get nowhere')).toMatchObject({ code: 4, stderr: expect.stringContaining('WORLD_NOT_FOUND') });
});

test('the calls of a world are listed by pages', async () => {
  await ok('world create --name watched');
  await ok('world use watched');
  for (let round = 0; round < 3; round++) await ok('accounts list');
  expect((await json('journal list --count 2')).length).toBe(2);
  const { stdout, stderr } = await cli('journal list --count 2');
  expect(stdout).toContain('accounts.list');
  expect(stderr).toMatch(/--cursor \S+/);
  await ok('world delete watched');
});

test('worlds are completed by id and by name', async () => {
  const { id } = await json('world create --empty --name winter');
  expect(await ok(['__complete', 'world', 'use', 'win'])).toBe(`winter\t${id}\n`);
  expect(await ok(['__complete', 'world', 'fork', id.slice(0, 4)])).toContain(`${id}\twinter`);
});

test('where the world in use was deleted by somebody else, commands say so and how to go back', async () => {
  const { id } = await json('world create --name gone');
  await ok('world use gone');
  const headers = { authorization: 'Bearer operator-token-of-at-least-24-characters' };
  expect((await fetch(`${server.controlUrl}/worlds/${id}`, { method: 'DELETE', headers })).status).toBe(200);
  const hint = `World gone (${id}) is in use. If it was deleted, \`broadside world use default\` goes back.`;
  for (const [line, code] of [
    ['campaigns list --sandbox', 3],
    ['clock get', 4],
  ] as const) {
    expect(await cli(line)).toMatchObject({ code, stderr: expect.stringContaining(hint) });
  }
  await ok('world use default');
  const unknown = await cli('clock get nowhere');
  expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining('has no world "nowhere"') });
  expect(unknown.stderr).not.toContain('is in use');
});

test('what happens on the way of a clock is a table, and nothing is said to be nothing', async () => {
  await ok('world create --name late');
  const { stdout } = await cli('clock advance late --by P400D', 100);
  expect(stdout).toMatch(/^AT +WHAT +ID/m);
  expect(stdout).toMatch(/LINE_ITEM_ENDED/);
  expect(stdout).not.toContain('{');
  expect(await cli('clock advance late --next')).toMatchObject({ code: 0, stderr: 'Nothing was due.\n' });
  await ok('world delete late');
});

test('the address of the control comes from BROADSIDE_CONTROL_URL, as for other programs', async () => {
  const env = { XDG_CONFIG_HOME: config, BROADSIDE_OPERATOR_TOKEN: 'operator-token-of-at-least-24-characters' };
  const listed = (url: string) =>
    runCli('world list --quiet', { cwd: config, env: { ...env, BROADSIDE_CONTROL_URL: url }, fetch });
  expect(await listed(server.controlUrl ?? '')).toMatchObject({ code: 0, stdout: expect.stringContaining('default') });
  expect(await listed('here')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('BROADSIDE_CONTROL_URL is "here"'),
  });
  const variables = JSON.parse(await ok('env --operator --json'));
  expect(variables.BROADSIDE_CONTROL_URL).toBe(server.controlUrl);
});

test('a rule of faults has no flags for its parts, which is said with the way to give them', async () => {
  expect(await cli(['faults', 'create', '--match', '{}'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('parameters without a flag are given as JSON, by --data or --file'),
  });
});

test('commands of the operator act in the world in use, say so, and in another where that is named', async () => {
  const { id } = await json('world create --from-world default --name governed');
  await ok('world use governed');
  const create = (name: string, more = '') =>
    cli(`admin apps create --name ${name} --owner-user-id ${credentialsOf().user_id} ${more} --json`);
  const made = await create('Here');
  expect(made, made.stderr).toMatchObject({ code: 0, stderr: `In world governed (${id})\n` });
  expect(JSON.parse(made.stdout).consumer_key.startsWith(id)).toBe(true);
  // The default one by its name, though another is in use.
  const elsewhere = await create('There', '--world default');
  expect(elsewhere, elsewhere.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(elsewhere.stdout).consumer_key.startsWith(id)).toBe(false);
  expect((await cli('clock get')).stderr).toBe(`In world governed (${id})\n`);
  await ok('world use default');
  expect((await cli('clock get')).stderr).toBe('');
  const named = await create('Named', '--world governed');
  expect(named).toMatchObject({ code: 0, stderr: `In world ${id}\n` });
  expect(JSON.parse(named.stdout).consumer_key.startsWith(id)).toBe(true);
  expect(await create('Nowhere', '--world wnowhere')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('wnowhere'),
  });
  await ok('world delete governed');
});

/** The credentials of the default world, whose user each copy of it has too. */
function credentialsOf(): { readonly user_id: string } {
  return JSON.parse(readFileSync(path.join(data, 'credentials.json'), 'utf8'));
}

test('a world is exported to a file for its owner only, which is replaced by --force only, and imported again', async () => {
  const { id } = await json('world create --from-world default --name packed/world');
  const campaigns = (await ok('campaigns list --sandbox --quiet')).trim();
  const exported = await cli(`world export ${id}`);
  expect(exported, exported.stderr).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('keys') });
  const file = path.join(directory, 'packed-world.world');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file);
  expect(await cli(`world export ${id}`)).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
  expect(readFileSync(file).equals(before)).toBe(true);
  const again = await json(`world export ${id} packed-world.world --force`);
  expect(again).toEqual({ id, name: 'packed/world', file, bytes: statSync(file).size });
  // One word that is a file; the world is the one in use.
  expect(await json('world export own.world')).toMatchObject({ id: 'default' });
  const made = await json('world import packed-world.world --name unpacked --ttl-seconds 600');
  expect(made).toMatchObject({ name: 'unpacked', origin: 'IMPORT' });
  await ok('world use unpacked');
  expect((await ok('campaigns list --sandbox --quiet')).trim()).toBe(campaigns);
  await ok('world use default');
  // What is wrong is said, and leaves nothing.
  const listed = await json('world list');
  writeFileSync(path.join(directory, 'cut.world'), before.subarray(0, before.length / 2));
  expect(await cli('world import cut.world')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('INVALID_PARAMETER'),
  });
  expect(await cli('world import nothing.world')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be read'),
  });
  expect(await cli('world export nowhere')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('WORLD_NOT_FOUND'),
  });
  expect(await cli(`world export ${id} no/such/place.world`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be written'),
  });
  expect(await cli(`world export ${id} -`)).toMatchObject({ code: 2 });
  expect(await json('world list')).toEqual(listed);
});

test('an export that is cut off leaves no file', async () => {
  const cutting: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init);
    if (!String(url).includes('/export')) return answer;
    const whole = new Uint8Array(await answer.arrayBuffer());
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(whole.subarray(0, 100));
        controller.error(new TypeError('terminated'));
      },
    });
    return new Response(body, answer);
  };
  const before = readdirSync(directory);
  const cut = await cli('world export cut-off.world', undefined, cutting);
  expect(cut).toMatchObject({ code: 5, stderr: expect.stringContaining('Nothing was written') });
  expect(readdirSync(directory)).toEqual(before);
});
