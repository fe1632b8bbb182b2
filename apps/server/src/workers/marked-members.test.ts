/** What a worker without members knows of their states. */
import { expect, test } from 'vitest';
import { RemoteMembers } from './marked-members.ts';

const members = {
  version: 1,
  user_ids: new BigUint64Array(),
  interval_ends: new Uint32Array(),
  from_s: new Uint32Array(),
  to_s: new Uint32Array(),
  event_ends: new Uint32Array(),
  events_s: new Uint32Array(),
};

test('an audience of which one set is older than another is loaded again as a whole', async () => {
  let mark = 'one';
  const remote = new RemoteMembers(async () => ({ members, mark }));
  await remote.matched('a');
  expect(remote.outdated({ a: 'one' })).toEqual([]);
  // It changes while a question about the state before loads another set of it.
  mark = 'two';
  await remote.matched('a');
  expect(remote.outdated({ a: 'two' })).toEqual(['a']);
  await remote.matched('a');
  await remote.matched('a');
  expect(remote.outdated({ a: 'two' })).toEqual([]);
});
