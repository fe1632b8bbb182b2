/** One process keeps the members of audiences of a platform, and who may, by its role. */
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { World } from '../open-world.ts';
import type { WorldOptions } from '../world/world-options.ts';
import { SeveralServersError } from './errors.ts';
import { MembersKeeper } from './members-keeper.ts';
import type { Registration } from './registration.ts';
import { type RemotePlatform, startRemotePlatform } from './testing/remote-stores.ts';

const HERE = { directory: 'here', place: '' };

let platform: RemotePlatform;

beforeAll(async () => {
  platform = await startRemotePlatform();
});
afterAll(() => platform.close());

async function open(name: string, role: 'all' | 'server' | 'worker', more?: Partial<WorldOptions>): Promise<World> {
  const world = await platform.open(name, { serving: { shares: true, role }, ...more });
  onTestFinished(() => world.close());
  return world;
}

function registrationOf(world: World): Registration {
  if (!world.servers) throw new TypeError('its stores are on servers');
  return world.servers.registration;
}

test('servers never keep members, a worker does, and others that do all ask it', async () => {
  const server = await open('server', 'server');
  expect(server.servers?.membersElsewhere).toContain('none has been started');
  expect(server.servers?.working?.places.own).toBeUndefined();
  expect(server.jobs.kinds.filter((kind) => /^(audience|members)\./.test(kind))).toEqual([]);
  const worker = await open('worker', 'worker');
  expect(worker.servers).toMatchObject({ membersElsewhere: undefined, working: { places: { own: '' } } });
  expect(worker.jobs.kinds).toContain('audience.process');
  // Until the worker listens, one that does all answers what it can.
  expect((await open('all', 'all')).servers?.working).toBeUndefined();
});

test.each(['worker', 'server'] as const)('a %s with the wrong data directory is refused in one line', async (role) => {
  await (await open('worker', 'worker')).close();
  const wrong = role === 'worker' ? 'other' : 'worker';
  const error: unknown = await open(wrong, role).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SeveralServersError);
  expect(String(error)).toContain(`in the data directory ${path.join(platform.directory, 'worker')} of `);
  expect(String(error)).not.toContain('\n');
});

test('a second process is refused while the first is alive, and takes over when it has ended', async () => {
  const [first, second] = [await open('one', 'all'), await open('two', 'all')];
  const keeper = await MembersKeeper.take(registrationOf(first), HERE);
  await expect(MembersKeeper.take(registrationOf(second), HERE, 0)).rejects.toThrow(SeveralServersError);
  await registrationOf(first).renew();
  keeper.check();
  await first.close();
  (await MembersKeeper.take(registrationOf(second), HERE, 0)).check();
});

test('a process whose lease another has taken over acknowledges nothing any more', async () => {
  const [first, second] = [await open('one', 'all'), await open('two', 'all')];
  const keeper = await MembersKeeper.take(registrationOf(first), HERE);
  keeper.check();
  // As after a stall that was longer than the lease.
  await first.seeds.write((writer) => writer.run(`UPDATE leases SET until_ms = 0 WHERE name = 'members'`));
  await MembersKeeper.take(registrationOf(second), HERE, 0);
  await registrationOf(first).renew();
  expect(() => keeper.check()).toThrow(/stop this one/);
});
