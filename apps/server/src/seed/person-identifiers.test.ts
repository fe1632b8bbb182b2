import { normalizeIdentifier } from '@broadside/core/identifiers';
import { expect, test } from 'vitest';
import { identifiersFor } from './person-identifiers.ts';
import { Seed } from './stream.ts';

const PEOPLE = 90_000;
const seed = new Seed('identifiers');
const people = Array.from({ length: PEOPLE }, (_, user) =>
  identifiersFor(seed, user, { screen_name: `Nora_reads${user}`, platforms: [`${user % 3}`] }),
);
const emails = people.map(({ email }) => email ?? '');
const phones = people.flatMap(({ phone_numbers = [] }) => phone_numbers);
const devices = people.flatMap(({ devices = [] }) => devices);

test('everybody has an address, most a telephone number, many one or two devices', () => {
  expect(emails.every((email) => email !== '')).toBe(true);
  expect(phones.length / PEOPLE).toBeGreaterThan(0.7);
  const withDevices = people.filter(({ devices = [] }) => devices.length > 0);
  expect(withDevices.length / PEOPLE).toBeGreaterThan(0.5);
  expect(people.some(({ devices = [] }) => devices.length === 2)).toBe(true);
  // Platforms other than telephones have no ids.
  expect(people.filter((_, user) => user % 3 === 2).flatMap(({ devices = [] }) => devices)).toEqual([]);
});

test('identifiers are normalized, and no two people have one in common', () => {
  const kinds = [
    ['email', emails],
    ['phone_number', phones],
    ['device_id', devices],
  ] as const;
  for (const [kind, values] of kinds) {
    expect(new Set(values).size).toBe(values.length);
    const wrong = values.find((value) => {
      const normalized = normalizeIdentifier(kind, value);
      return !normalized.ok || normalized.value !== value;
    });
    expect(wrong).toBeUndefined();
  }
});

test('addresses and numbers are reserved ones, which are nobody’s', () => {
  expect(emails.filter((email) => !/@example\.(com|org|net)$/.test(email))).toEqual([]);
  expect(phones.filter((phone) => !/^\+1[2-9]\d\d555\d{4}$/.test(phone))).toEqual([]);
  // The first 80,000 people of a run stay within the lines that are kept for fiction.
  const first = people.slice(0, 80_000).flatMap(({ phone_numbers = [] }) => phone_numbers);
  expect(first.filter((phone) => !/55501\d\d$/.test(phone))).toEqual([]);
});
