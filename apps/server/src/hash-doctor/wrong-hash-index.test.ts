import { createHash, randomBytes } from 'node:crypto';
import { type IdentifierKind, identifierKinds, keyOf } from '@broadside/core/identifiers';
import { expect, test } from 'vitest';
import { type IdentifiedUser, identifiersOf } from '../identity/identifiers.ts';
import { identifiersFor } from '../seed/person-identifiers.ts';
import { Seed } from '../seed/stream.ts';
import { WrongHashIndex } from './wrong-hash-index.ts';

const nora: IdentifiedUser = {
  id: '1503831318555086849',
  screen_name: 'Nora_Finch',
  email: 'nora.finch@example.com',
  phone_numbers: ['+12025550117'],
  devices: ['2f5f5391-3e45-4d02-b645-4575a08f86e1'],
};

const sha256 = (input: string) => createHash('sha256').update(input).digest();
const keyFor = (kind: IdentifierKind, input: string) => keyOf(kind, sha256(input));

function indexOf(...people: readonly IdentifiedUser[]): WrongHashIndex {
  const index = new WrongHashIndex(true);
  for (const person of people) {
    index.addRight(person);
    index.addMistakes(person);
  }
  return index;
}

test.each<[IdentifierKind, string, string]>([
  ['email', 'Nora.Finch@example.com', 'capitals'],
  ['email', 'norafinch@example.com', 'dots_removed'],
  ['handle', '@Nora_Finch', 'at_sign_kept'],
  ['handle', 'Nora_Finch', 'capitals'],
  ['platform_id', '1503831318555086800', 'number_rounded'],
  ['phone_number', '2025550117', 'country_code_missing'],
  ['phone_number', 'nora.finch@example.com', 'wrong_field'],
  ['device_id', '2F5F5391-3E45-4D02-B645-4575A08F86E1', 'device_capitals'],
  ['email', '', 'hash_of_nothing'],
])('in the field %s the hash of %j is named', (kind, input, mistake) => {
  expect(indexOf(nora).find(keyFor(kind, input), 0)).toBe(mistake);
});

test('what is a mistake for one person is none if it is the identifier of another', () => {
  const other = {
    ...nora,
    id: '2',
    screen_name: 'other',
    email: 'norafinch@example.com',
    phone_numbers: null,
    devices: null,
  };
  const key = keyFor('email', 'norafinch@example.com');
  expect(indexOf(nora).find(key, 0)).toBe('dots_removed');
  expect(indexOf(nora, other).find(key, 0)).toBeUndefined();
  expect(indexOf(other, nora).find(key, 0)).toBeUndefined();
  // Among more people than are known here, it could be that of anybody.
  const partly = new WrongHashIndex(false);
  partly.addMistakes(nora);
  expect(partly.find(key, 0)).toBeUndefined();
  expect(partly.find(keyFor('email', 'Nora.Finch@example.com'), 0)).toBe('capitals');
});

test('mistakes with former identifiers, and of people who are gone, are named no more', () => {
  const index = indexOf(nora);
  const [former, present] = [keyFor('email', 'NORA.FINCH@EXAMPLE.COM'), keyFor('email', 'NORA@EXAMPLE.COM')];
  const changed = { ...nora, email: 'nora@example.com' };
  index.addRight(changed);
  index.addMistakes(changed);
  expect([index.find(former, 0), index.find(present, 0)]).toEqual([undefined, 'capitals']);
  index.remove(nora.id);
  expect([index.find(former, 0), index.find(present, 0)]).toEqual([undefined, undefined]);
  index.addMistakes(nora);
  expect(index.find(former, 0)).toBe('capitals');
});

test('of 100,000 right hashes and 100,000 random ones none is named', () => {
  const seed = new Seed('doctor');
  const people = Array.from({ length: 25_000 }, (_, user): IdentifiedUser => {
    // Names that lead to each other by mistake: with and without _, and with a digit.
    const screen_name = `${user % 2 ? 'Nora_Reads' : 'NoraReads'}${Math.floor(user / 2)}`;
    const {
      email = null,
      phone_numbers = [],
      devices = [],
    } = identifiersFor(seed, user, {
      screen_name,
      platforms: [`${user % 2}`],
    });
    return { id: `${user + 1}`, screen_name, email, phone_numbers: [...phone_numbers], devices: [...devices] };
  });
  const index = new WrongHashIndex(true);
  for (const person of people) index.addRight(person);
  for (const person of people.slice(0, 400)) index.addMistakes(person);
  const named: string[] = [];
  let right = 0;
  for (const person of people) {
    for (const [number, value] of identifiersOf(person)) {
      const kind = identifierKinds[number - 1] ?? 'email';
      const mistake = index.find(keyFor(kind, value), 0);
      if (mistake !== undefined) named.push(`${kind} ${value}: ${mistake}`);
      right++;
    }
  }
  expect(right).toBeGreaterThan(100_000);
  expect(named).toEqual([]);
  const random = randomBytes(100_000 * 16);
  for (let at = 0; at < random.length; at += 16) {
    random[at] = 1 + ((random[at] ?? 0) % 5);
    expect(index.find(random, at)).toBeUndefined();
  }
});
