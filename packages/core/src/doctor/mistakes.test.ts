import { describe, expect, test } from 'vitest';
import { PROBLEM_STATUS } from '../auth/rules.ts';
import { MISTAKES, type MistakeName } from './mistakes.ts';
import { SIGNING_MISTAKES } from './search.ts';
import { REQUESTS, verifyNamed } from './testing/verify-named.ts';

const names = Object.keys(MISTAKES).filter((name): name is MistakeName => name in MISTAKES);
/** Mistakes that change the signed content are verified beside the files that define them. */
const searched: ReadonlySet<MistakeName> = new Set(SIGNING_MISTAKES.map(({ id }) => id));

describe(`named first in each of ${REQUESTS} random requests`, () => {
  test.each(names.filter((name) => !searched.has(name)))('%s', verifyNamed);
});

test('each mistake is searched for once', () => {
  expect(searched.size).toBe(SIGNING_MISTAKES.length);
});

test('each problem of a request that cannot be parsed has its text', () => {
  const unreadable = Object.entries(PROBLEM_STATUS).filter(([, status]) => status === 400);
  for (const [code] of unreadable) expect(names).toContain(code);
});

test('titles are sentences without a full stop, hints have one', () => {
  for (const { title, hint } of Object.values(MISTAKES)) {
    expect(title).toMatch(/[^.]$/);
    expect(hint).toMatch(/^[A-Z].*\.$/);
  }
});
