import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type IdentifierKind, keyOf } from '@broadside/core/identifiers';
import type { PackedUsers } from '@broadside/core/resources/custom-audiences';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { World } from '../open-world.ts';
import { ManualClock } from '../world/clock.ts';
import { SeededRandom } from '../world/random.ts';
import { HashDoctor, MAX_WARNINGS } from './hash-doctor.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-hash-doctor-'));
let world: World;
let serial = 0;

beforeAll(async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  world = await World.open({ dataDirectory: directory, clock, random: new SeededRandom('hash-doctor') });
});
afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

/** One identifier: its kind, and the text that was hashed. */
type Hashed = readonly [kind: IdentifierKind, text: string];

/** Operations of users of identifiers, packed as the reader packs them. */
function packed(...operations: readonly (readonly (readonly Hashed[])[])[]): PackedUsers {
  const users = operations
    .flat()
    .flatMap((identifiers) => [
      Buffer.from([identifiers.length & 0xff, identifiers.length >> 8]),
      ...identifiers.map(([kind, text]) => keyOf(kind, createHash('sha256').update(text).digest())),
    ]);
  return {
    operations: operations.map(({ length }) => ({
      operation_type: 'Update',
      effective_at: undefined,
      expires_at: undefined,
      user_count: length,
    })),
    user_count: operations.flat().length,
    users: Buffer.concat(users),
  };
}

async function person(email: string): Promise<{ readonly id: string; readonly screen_name: string }> {
  const screen_name = `Person_${++serial}`;
  return world.identity.users.create(ACTOR, { screen_name, name: 'Name', password: null, traits: { email } });
}

const mistakes = async (users: PackedUsers) =>
  (await world.hashDoctor.examine(users)).flatMap((found) => found?.warnings.map(({ mistake }) => mistake) ?? []);

test('a mistake is reported with its place and the fix, and without the identifier', async () => {
  const { screen_name } = await person('nora.finch@example.com');
  const right: Hashed = ['email', 'nora.finch@example.com'];
  const found = await world.hashDoctor.examine(
    packed(
      [[right], [right, ['handle', screen_name.toLowerCase()]]],
      [
        [['phone_number', '+15005550199'], right, ['email', 'Nora.Finch@example.com'], ['handle', `@${screen_name}`]],
        [
          ['partner_user_id', 'nora.finch@example.com'],
          ['phone_number', 'nora.finch@example.com'],
        ],
      ],
    ),
  );
  expect(found).toEqual([
    undefined,
    {
      warning_count: 3,
      warnings: [
        {
          operation: 1,
          user: 0,
          field: 'email',
          index: 1,
          mistake: 'capitals',
          message:
            'The identifier has capital letters. Turn e-mail addresses and handles into small letters before you hash them.',
        },
        expect.objectContaining({ operation: 1, user: 0, field: 'handle', index: 0, mistake: 'at_sign_kept' }),
        expect.objectContaining({ operation: 1, user: 1, field: 'phone_number', index: 0, mistake: 'wrong_field' }),
      ],
    },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/nora|Person_/i);
});

test('people who come, change and give identifiers up are known as they are now', async () => {
  const shout = (email: string) => packed([[['email', email.toUpperCase()]]]);
  expect(await mistakes(shout('late@example.com'))).toEqual([]);
  const { id } = await person('late@example.com');
  expect(await mistakes(shout('late@example.com'))).toEqual(['capitals']);
  await world.identity.users.update(ACTOR, id, { email: 'later@example.com' });
  expect(await mistakes(shout('late@example.com'))).toEqual([]);
  expect(await mistakes(shout('later@example.com'))).toEqual(['capitals']);
  await world.identity.users.update(ACTOR, id, { email: null });
  expect(await mistakes(shout('later@example.com'))).toEqual([]);
});

test('a bulk of people is known too', async () => {
  await world.seeds.write((writer) => writer.run(`UPDATE audience_state SET epoch = epoch + 1 WHERE id = 1`));
  await world.seeds.write((writer) =>
    writer.run(`UPDATE users SET email = 'bulk@example.com' WHERE id = (SELECT max(id) FROM users)`),
  );
  expect(await mistakes(packed([[['email', ' bulk@example.com']]]))).toEqual(['surrounding_blanks']);
});

test('there are the first of many warnings in all operations, and their numbers', async () => {
  await person('many@example.com');
  const wrong: Hashed = ['email', '"many@example.com"'];
  const half = Array.from({ length: MAX_WARNINGS - 1 }, () => [wrong]);
  const found = await world.hashDoctor.examine(packed(half, half));
  expect(found.map((each) => [each?.warnings.length, each?.warning_count])).toEqual([
    [MAX_WARNINGS - 1, MAX_WARNINGS - 1],
    [1, MAX_WARNINGS - 1],
  ]);
});

test('a request is answered without warnings when people cannot be read', async () => {
  const failing = new HashDoctor({
    database: {
      query: () => Promise.reject(new Error('no')),
      get: () => Promise.reject(new Error('no')),
    } as never,
  });
  expect(await failing.examine(packed([[['email', '']]]))).toEqual([]);
});
