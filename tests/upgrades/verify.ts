/** A data directory of an earlier version, on a server of this one. */
import { strict as assert } from 'node:assert';
import { credentialsIn, send } from './client.ts';
import { differences } from './compare.ts';
import type { Fixture } from './fixture.ts';
import { dataOf } from './furnish.ts';

/** Verifies that a server answers what the earlier one answered, and takes a write. @throws AssertionError */
export async function verifyServer(directory: string, fixture: Fixture): Promise<void> {
  const credentials = credentialsIn(directory);
  const different: string[] = [];
  for (const { request, body } of fixture.answers) {
    const answer = await send(credentials, request);
    assert.equal(answer.status, 200, `${request.path}: ${JSON.stringify(answer.body)}`);
    different.push(...differences(body, dataOf(answer.body), request.path));
  }
  assert.deepEqual(different, []);
  const path = `/12/accounts/${credentials.sandbox_account_id}/custom_audiences`;
  const written = await send(credentials, { method: 'POST', path, query: { name: 'After the upgrade' } });
  assert.equal(written.status, 200, JSON.stringify(written.body));
}
