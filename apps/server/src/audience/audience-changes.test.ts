import type { AudienceQuery } from '@broadside/core/resources/audience-estimate';
import { expect, test } from 'vitest';
import { AudienceStore } from './audience-store.ts';
import { inBulk } from './bulk.ts';
import {
  addPerson,
  addPost,
  ask,
  audience,
  clock,
  DAY_MS,
  database,
  everybody,
  personId,
  run,
  useAudienceWorld,
  wrote,
} from './testing/audience-world.ts';

useAudienceWorld();

test('a change is counted as soon as its write is committed', async () => {
  expect(await audience.count(everybody)).toBe(0);
  const author = await addPerson({ languages: '["en"]' });
  expect(await audience.count(everybody)).toBe(1);
  const post = await addPost(author, { text: 'tea' });
  expect(await audience.count(ask(wrote(['tea'])))).toBe(1);
  await run('UPDATE posts SET deleted_ms = 1 WHERE id = ?', [post]);
  expect(await audience.count(ask(wrote(['tea'])))).toBe(0);
});

test('a change by another process is counted too', async () => {
  const other = new AudienceStore({ database, clock, key: 'k' });
  await addPerson();
  expect(await other.count(everybody)).toBe(1);
  expect(await audience.count(everybody)).toBe(1);
  await addPerson();
  expect(await audience.count(everybody)).toBe(2);
  expect(await other.count(everybody)).toBe(2);
});

test('concurrent counts wait while the index is built, and all get the same result', async () => {
  for (let i = 0; i < 30; i++) await addPerson();
  const asked = Array.from({ length: 20 }, () => audience.count(everybody));
  await addPerson();
  expect(await audience.count(everybody)).toBe(31);
  for (const count of await Promise.all(asked)) expect([30, 31]).toContain(count);
});

test('an index that missed changes is rebuilt, and the change table is bounded', async () => {
  await addPerson();
  expect(await audience.count(everybody)).toBe(1);
  await addPerson();
  await run(
    `INSERT INTO audience_changes (kind, id)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 66000) SELECT 'post', 1 FROM n`,
  );
  const [held] = await database.query('SELECT count(*), max(seq) FROM audience_changes');
  expect(held).toEqual([65_536n, 66_002n]);
  expect(await audience.count(everybody)).toBe(2);
});

test('bulk changes are counted afterwards, without recording single changes', async () => {
  await addPerson({ languages: '["fr"]' });
  const french: AudienceQuery = ask({ kind: 'language', value: 'fr' });
  expect(await audience.count(french)).toBe(1);
  const changes = 'SELECT count(*) FROM audience_changes';
  const before = await database.query(changes);
  await database.write((writer) => inBulk(writer, () => writer.run('UPDATE users SET languages = NULL')));
  expect(await database.query(changes)).toEqual(before);
  expect(await audience.count(french)).toBe(0);
  await run(`UPDATE users SET languages = '["fr"]'`);
  expect(await audience.count(french)).toBe(1);
});

test('after a failed bulk, changes are recorded as before', async () => {
  await addPerson();
  const failed = database.write((writer) =>
    inBulk(writer, async () => {
      throw new Error('no');
    }),
  );
  await expect(failed).rejects.toThrow('no');
  expect(await audience.count(everybody)).toBe(1);
  await addPerson();
  expect(await audience.count(everybody)).toBe(2);
});

test('a like, a counter or a profile records no change: only what is counted does', async () => {
  const author = await addPerson();
  await addPost(author, { text: 'tea' });
  const before = await database.query('SELECT max(seq) FROM audience_changes');
  await run('UPDATE posts SET like_count = 7');
  await run(`UPDATE users SET post_count = 1, description = 'x', verified = 1`);
  expect(await database.query('SELECT max(seq) FROM audience_changes')).toEqual(before);
});

test('what members of audiences are matched by is recorded: identifiers, the handle, and that a person is gone', async () => {
  const id = personId(await addPerson());
  const changes = async () => (await database.query('SELECT kind, id FROM audience_changes')).length;
  const before = await changes();
  for (const [n, assignment] of [
    `email = 'nora@example.com'`,
    `phone_numbers = '["+15005550100"]'`,
    `devices = '["af3802a465767e36"]'`,
    `screen_name = 'nora', screen_name_folded = 'nora'`,
  ].entries()) {
    await run(`UPDATE users SET ${assignment} WHERE id = ?`, [id]);
    expect(await changes()).toBe(before + n + 1);
  }
  await run('DELETE FROM users WHERE id = ?', [id]);
  expect(await changes()).toBe(before + 5);
  expect(await database.query('SELECT DISTINCT kind, id FROM audience_changes')).toEqual([['user', BigInt(id)]]);
});

test('a post stops counting a year after it was written, to the second, without any write', async () => {
  const author = await addPerson();
  await addPost(author, { text: 'tea' });
  clock.advance(365 * DAY_MS);
  expect(await audience.count(ask(wrote(['tea'])))).toBe(1);
  clock.advance(1000);
  expect(await audience.count(ask(wrote(['tea'])))).toBe(0);
  clock.advance(-2000);
  expect(await audience.count(ask(wrote(['tea'])))).toBe(1);
});

test('closing aborts a running build', async () => {
  for (let i = 0; i < 50; i++) await addPerson();
  const counted = audience.count(everybody);
  const rejected = expect(counted).rejects.toThrow('closed');
  await audience.close();
  await rejected;
});
