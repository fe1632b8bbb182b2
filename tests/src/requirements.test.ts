import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parts, requirements } from './requirements.ts';

const here = import.meta.dirname;
const sources = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
const cited = new Map<string, string>();
for (const name of sources) {
  const text = readFileSync(path.join(here, name), 'utf8');
  for (const [, id = ''] of text.matchAll(/\b(?:scenario|about|inProduction)\(\s*'([A-Z0-9-]+)'/g)) cited.set(id, name);
}

test('every requirement is cited by a test', () => {
  expect(Object.keys(requirements).filter((id) => !cited.has(id))).toEqual([]);
});

test('every citation is of a requirement that exists', () => {
  expect([...cited.keys()].filter((id) => !(id in requirements))).toEqual([]);
});

test('an id is in one part only', () => {
  const ids = [...parts.values()].flatMap((part) => Object.keys(part.requirements));
  expect(ids.length).toBe(Object.keys(requirements).length);
});

test('no two requirements say the same', () => {
  const said = Object.values(requirements).map(({ clause, text }) => `${clause}: ${text}`);
  expect(new Set(said).size).toBe(said.length);
});
