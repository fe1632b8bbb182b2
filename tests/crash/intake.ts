/** People who are sent to audiences while the server is killed: a request is stored as a whole once it is acknowledged, or not at all. */
import { strict as assert } from 'node:assert';
import { World } from '@broadside/server';
import { idOf } from '../src/support/body.ts';
import { hashed } from '../src/support/members.ts';
import type { Session } from './session.ts';

/** Identifiers of a request. Each is sent once only, so that the store holds as many keys as were sent. */
const PEOPLE = 50;

/** A writer with an audience of its own, which sends one request after the other. */
export interface IntakeWriter {
  readonly audience_id: string;
  acknowledged: number;
  /** A request was sent that got no response. */
  underWay: boolean;
}

/** Creates an audience to write to. */
export async function beginIntake(session: Session, name: string): Promise<IntakeWriter> {
  const path = `/12/accounts/${session.account_id}/custom_audiences`;
  const audience_id = idOf(await session.ok({ method: 'POST', path, query: { name } }));
  return { audience_id, acknowledged: 0, underWay: false };
}

/** Sends people until the server has stopped. */
export async function sendPeople(session: Session, writer: IntakeWriter): Promise<void> {
  const path = `/12/accounts/${session.account_id}/custom_audiences/${writer.audience_id}/users`;
  for (let turn = 0; ; turn++) {
    const json = Array.from({ length: PEOPLE / 2 }, (_, operation) => ({
      operation_type: 'Update',
      params: {
        users: [0, 1].map((user) => ({ email: [hashed(`${writer.audience_id} ${turn} ${operation} ${user}`)] })),
      },
    }));
    const request = await session.sign({ method: 'POST', path, json });
    writer.underWay = true;
    let response: Awaited<ReturnType<Session['send']>>;
    try {
      response = await session.send(request);
    } catch {
      return;
    }
    assert.equal(response.status, 200, response.text);
    writer.underWay = false;
    writer.acknowledged++;
  }
}

/** Checks the members of a server that has ended. @throws AssertionError */
export async function checkIntake(directory: string, writers: readonly IntakeWriter[]): Promise<void> {
  const world = await World.open({ dataDirectory: directory });
  try {
    for (const { audience_id, acknowledged, underWay } of writers) {
      const audience = `sandbox/${audience_id}`;
      await world.members.settle(audience);
      const { keys, pending } = await world.members.figures(audience);
      assert.equal(pending, 0);
      const possible = [acknowledged * PEOPLE, ...(underWay ? [(acknowledged + 1) * PEOPLE] : [])];
      assert(possible.includes(keys), `${audience} holds ${keys} people, not ${possible.join(' or ')}`);
    }
  } finally {
    await world.close();
  }
}
