/** Data directories of earlier versions, which this one takes over as they are. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { World } from '@broadside/server';
import { expect, onTestFinished, test } from 'vitest';
import { credentialsIn, send } from '../../upgrades/client.ts';
import { differences } from '../../upgrades/compare.ts';
import { fixtureNames, unpackFixture } from '../../upgrades/fixture.ts';
import { dataOf } from '../../upgrades/furnish.ts';
import { ServerProcess } from '../support/server-process.ts';

function scratch(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-upgrades-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test.each(fixtureNames())(
  'a data directory of %s is taken over with all that it answered, and is written',
  async (name) => {
    const directory = path.join(scratch(), 'data');
    const fixture = unpackFixture(name, directory);
    const server = await ServerProcess.start(directory);
    const credentials = credentialsIn(directory);

    const different: string[] = [];
    for (const { request, body } of fixture.answers) {
      const answer = await send(credentials, request);
      expect(answer.status, request.path).toBe(200);
      different.push(...differences(body, dataOf(answer.body), request.path));
    }
    expect(different).toEqual([]);

    const campaigns = `/12/accounts/${credentials.sandbox_account_id}/custom_audiences`;
    const written = await send(credentials, { method: 'POST', path: campaigns, query: { name: 'After the upgrade' } });
    expect(written.status, JSON.stringify(written.body)).toBe(200);
    expect((await server.end('SIGTERM')).code).toBe(0);

    if (fixture.audience === null) return;
    const world = await World.open({ dataDirectory: directory });
    onTestFinished(() => world.close());
    const audience = `sandbox/${fixture.audience.id}`;
    await world.members.settle(audience);
    expect((await world.members.figures(audience)).keys).toBe(fixture.audience.keys);
  },
);
