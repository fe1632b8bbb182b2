/** What is beside the stores of a platform has one place, and a server that would have another is told how to go on. */
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DiskBlobStore } from '../media/blobs/disk-store.ts';
import type { World } from '../open-world.ts';
import { putWorkerAddress } from '../workers/worker-address.ts';
import type { WorldOptions } from '../world/world-options.ts';
import { FIRST_PLACE } from './audience-places.ts';
import { ElsewhereError, SeveralServersError } from './errors.ts';
import { type RemotePlatform, startRemotePlatform } from './testing/remote-stores.ts';

const objects = (bucket: string) => ({
  url: `s3://${bucket}?endpoint=http://127.0.0.1:9`,
  credentials: { accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: undefined },
});

let platform: RemotePlatform;

beforeAll(async () => {
  platform = await startRemotePlatform();
});
afterAll(() => platform.close());

/** Opens a world until the end of the test. */
async function open(name: string, options?: Partial<WorldOptions>): Promise<World> {
  const world = await platform.open(name, options);
  onTestFinished(() => world.close());
  return world;
}

async function refusal(name: string, options?: Partial<WorldOptions>): Promise<string> {
  const error: unknown = await open(name, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SeveralServersError);
  const { message } = error instanceof Error ? error : new Error('');
  expect(message).not.toContain('\n');
  return message;
}

test('a server that shares a platform does not start with media in its own data directory', async () => {
  const message = await refusal('own', { media: undefined });
  expect(message).toContain('BROADSIDE_MEDIA_URL');
  expect(message).toContain('BROADSIDE_MEDIA_SHARED_DIRECTORY');
});

test('media have the place that the first process had for them, whoever opens the platform', async () => {
  const shared = path.join(platform.directory, 'media');
  await (await open('one')).close();
  const elsewhere = { directory: path.join(platform.directory, 'other-mount'), isShared: true };
  for (const media of [elsewhere, objects('bucket')]) {
    expect(await refusal('two', { media })).toContain(`are in the shared directory ${shared}`);
  }
  // As `broadside seed` from another data directory does.
  expect(await refusal('laptop', { media: undefined, serving: undefined })).toContain('BROADSIDE_ACCEPT_LOSS=1');
  await open('two');
  await open('laptop', { serving: undefined });
});

test('media that were copied elsewhere are taken on demand, and are there from then on', async () => {
  const media = objects('copied');
  await (await open('one', { media, acceptLoss: true })).close();
  expect(await refusal('two')).toContain('in the object store http://127.0.0.1:9/copied/');
  await (await open('two', { media })).close();
  await (await open('one', { acceptLoss: true })).close();
});

test('incomplete files of other servers in a shared directory are left alone', async () => {
  const directory = path.join(platform.directory, 'mounted');
  const one = await DiskBlobStore.open(directory, 'one');
  async function* slow() {
    yield Buffer.from('first ');
    // Another server starts and receives a file of its own.
    const two = await DiskBlobStore.open(directory, 'two');
    await two.put('other', Buffer.from('second'));
    yield Buffer.from('last');
  }
  expect(await one.put('slow', slow())).toMatchObject({ size: 10 });
  expect(await one.size('other')).toBe(6);
});

test('the server that was the first to serve keeps the members of audiences; the others say so', async () => {
  const [one, two] = [await open('one'), await open('two')];
  expect(one.servers?.membersElsewhere).toBeUndefined();
  const batch = { operations: [], users: new Uint8Array() };
  await one.members.append('sandbox/a1', batch, 1);
  const rejected: unknown = await two.members.append('sandbox/a1', batch, 1).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(ElsewhereError);
  expect(String(rejected)).toContain(`in the data directory ${path.join(platform.directory, 'one')} of `);
  // A command is no server, so it does not decide who keeps them.
  expect((await open('laptop', { serving: undefined })).servers?.membersElsewhere).toContain('one');
});

/** Opens a world on the condition that a loss is accepted, and closes it. @returns what has another place by that, and who keeps members */
async function accept(name: string, options: Partial<WorldOptions>) {
  const changes: string[] = [];
  const world = await open(name, { acceptLoss: true, onPlaceChange: (change) => changes.push(change), ...options });
  const elsewhere = world.servers?.membersElsewhere;
  await world.close();
  return { changes, elsewhere };
}

const inDirectory = (name: string) => `in the data directory ${path.join(platform.directory, name)} of `;

test('media that are moved take no members with them, nor does a server that does all', async () => {
  const media = objects('moved');
  const first = await accept('two', { media });
  expect(first.elsewhere).toContain(inDirectory('one'));
  expect(first.changes).toEqual([
    expect.stringMatching(/^The media .* in the shared directory .*127\.0\.0\.1:9\/moved/),
  ]);
  const second = await accept('two', { media });
  expect(second).toMatchObject({ changes: [], elsewhere: expect.stringContaining(inDirectory('one')) });
});

test('a worker begins without members when a loss is accepted, unless it is that of media or their keeper runs', async () => {
  const worker = { serving: { shares: true, role: 'worker' } } as const;
  const moved = { ...worker, media: objects('moved') };
  // Nobody has been a worker: without the loss, it is refused.
  const { changes, elsewhere } = await accept('worker', moved);
  expect(elsewhere).toBeUndefined();
  expect(changes).toEqual([expect.stringMatching(/^The members .*platform-.*one of .*worker of .*/)]);
  const keeper = await open('worker', moved);
  const { facts } = keeper.servers ?? {};
  if (!facts) throw new TypeError('its stores are on servers');
  await putWorkerAddress(facts, FIRST_PLACE, { place: 'worker', url: 'http://127.0.0.1:9' });
  expect((await accept('empty', moved)).elsewhere).toContain(inDirectory('worker'));
  await keeper.close();
  const again = await accept('empty', worker);
  expect(again.elsewhere).toContain(inDirectory('worker'));
  expect(again.changes).toEqual([expect.stringContaining('The media')]);
  const begun = await accept('empty', worker);
  expect(begun.elsewhere).toBeUndefined();
  expect(begun.changes).toEqual([expect.stringContaining('The members')]);
});
