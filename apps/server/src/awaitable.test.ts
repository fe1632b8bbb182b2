import { expect, test } from 'vitest';
import { attempt, chain, promiseOf, together } from './awaitable.ts';

const failure = new Error('no');
const fail = () => {
  throw failure;
};

test('a value that is there is passed on at once, a promised one when it arrives', async () => {
  expect(chain(1, (n) => n + 1)).toBe(2);
  const later = chain(Promise.resolve(1), (n) => n + 1);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toBe(2);
  expect(await chain(1, (n) => Promise.resolve(n + 1))).toBe(2);
});

test('errors pass by the next step, thrown or rejected', async () => {
  expect(() => chain(1, fail)).toThrow(failure);
  await expect(chain(Promise.resolve(1), fail)).rejects.toBe(failure);
  await expect(chain(Promise.reject(failure), () => 1)).rejects.toBe(failure);
});

test('an error becomes a result, thrown or rejected', async () => {
  expect(attempt(fail, (error) => error)).toBe(failure);
  expect(
    await attempt<unknown>(
      () => Promise.reject(failure),
      (error) => error,
    ),
  ).toBe(failure);
  expect(attempt(() => 1, fail)).toBe(1);
  expect(() => attempt(fail, fail)).toThrow(failure);
});

test('several values are there at once unless one of them waits', async () => {
  expect(together([1, 2])).toEqual([1, 2]);
  expect(together([])).toEqual([]);
  const later = together([1, Promise.resolve(2), 3]);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toEqual([1, 2, 3]);
  await expect(together([1, Promise.reject(failure)])).rejects.toBe(failure);
});

test('a promise is made of both, and of an error that is thrown', async () => {
  expect(await promiseOf(() => 1)).toBe(1);
  await expect(promiseOf(fail)).rejects.toBe(failure);
});
