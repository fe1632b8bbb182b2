/** Data directories of earlier versions, which this one takes over as they are. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { World } from '@broadside/server';
import { expect, onTestFinished, test } from 'vitest';
import { fixtureNames, unpackFixture } from '../../upgrades/fixture.ts';
import { digestsIn, playUpgrade } from '../../upgrades/kill.ts';
import { verifyServer } from '../../upgrades/verify.ts';
import { ServerProcess } from '../support/server-process.ts';

const [oldest = ''] = fixtureNames();

/** A directory for the length of a test, at whose end no server of it runs any more. */
function scratch(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-upgrades-'));
  onTestFinished(async () => {
    await ServerProcess.killAll();
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

test.each(fixtureNames())(
  'a data directory of %s is taken over with all that it answered, and is written',
  async (name) => {
    const directory = path.join(scratch(), 'data');
    const fixture = unpackFixture(name, directory);
    const server = await ServerProcess.start(directory);
    await verifyServer(directory, fixture);
    expect((await server.end('SIGTERM')).code).toBe(0);
    if (fixture.audience === null) return;
    const world = await World.open({ dataDirectory: directory });
    onTestFinished(() => world.close());
    const audience = `sandbox/${fixture.audience.id}`;
    await world.members.settle(audience);
    expect((await world.members.figures(audience)).keys).toBe(fixture.audience.keys);
  },
);

// More of them: `npm run crash:upgrade`.
test('servers that are killed while they upgrade lose nothing, and keep what was before for the way back', async () => {
  const { kills, halfway } = await playUpgrade(scratch(), oldest, { kills: 2, seed: 1 });
  expect(kills).toBeGreaterThanOrEqual(2);
  expect(halfway).toBeGreaterThan(0);
});

test('what is kept of before an upgrade is a data directory that takes the place of the upgraded one', async () => {
  const root = scratch();
  const [data, newer] = [path.join(root, 'data'), path.join(root, 'data-newer')];
  const fixture = unpackFixture(oldest, data);
  const left = digestsIn(data);
  await (await ServerProcess.start(data)).end('SIGTERM');
  renameSync(data, newer);
  renameSync(path.join(newer, 'before-upgrade'), data);
  // All that the version before it looks at is as it left it.
  expect(digestsIn(data)).toEqual(left);
  const server = await ServerProcess.start(data);
  await verifyServer(data, fixture);
  expect((await server.end('SIGTERM')).code).toBe(0);
  expect(digestsIn(path.join(data, 'before-upgrade'))).toEqual(left);
});
