import { describe, expect, it } from 'vitest';
import { boundArguments, boundByName, boundValue } from './arguments.ts';
import { readSql } from './sql-text.ts';

describe('boundValue', () => {
  const bytes = new Uint8Array([1, 2]);
  const kept: [unknown, unknown][] = [
    ['', ''],
    ['emoji 😀', 'emoji 😀'],
    [null, null],
    [true, 1n],
    [false, 0n],
    [7, 7n],
    [-0, 0n],
    [Number.MAX_SAFE_INTEGER, 9007199254740991n],
    [1.5, 1.5],
    [2n ** 63n - 1n, 9223372036854775807n],
    [-(2n ** 63n), -9223372036854775808n],
    [bytes, bytes],
    [bytes.buffer, bytes],
  ];
  it.each(kept)('%o is bound as %o', (value, bound) => {
    expect(boundValue(value, 1)).toStrictEqual(bound);
  });

  const rejected: [unknown, typeof TypeError | typeof RangeError][] = [
    [undefined, TypeError],
    [Number.NaN, TypeError],
    [Number.POSITIVE_INFINITY, TypeError],
    ['a\0b', TypeError],
    ['\ud83d', TypeError],
    ['\ude00\ud83d', TypeError],
    [new Date(0), TypeError],
    [{}, TypeError],
    [[1], TypeError],
    [new Float64Array(1), TypeError],
    [() => 1, TypeError],
    [Symbol('s'), TypeError],
    [2n ** 63n, RangeError],
    [-(2n ** 63n) - 1n, RangeError],
    [2 ** 53, RangeError],
    [-1e300, RangeError],
  ];
  it.each(rejected)('%o is rejected, naming its position', (value, kind) => {
    expect(() => boundValue(value, 3)).toThrow(kind);
    expect(() => boundValue(value, 3)).toThrow('SQL argument 3 ');
  });
});

describe('boundArguments', () => {
  const sql = 'SELECT ?, ?2';
  it.each([[undefined], [[]], [[1]], [[1, 2, 3]]])('rejects %j for two parameters', (args) => {
    expect(() => boundArguments(sql, readSql(sql), args)).toThrow(
      `takes 2 arguments, ${args?.length ?? 0} given: ${sql}`,
    );
  });

  it('sees a hole in the array', () => {
    const args: number[] = [1];
    args.length = 2;
    expect(() => boundArguments(sql, readSql(sql), args)).toThrow('SQL argument 2 is of type undefined');
  });
});

describe('boundByName', () => {
  const sql = 'SELECT :a, @b, :a';
  it('takes names with and without prefix and gives values by position', () => {
    expect(boundByName(sql, readSql(sql), { '@b': null, a: 1 })).toEqual([1n, null]);
  });
  it.each([
    [{ a: 1 }, 'SQL argument @b is missing'],
    [{ a: 1, b: 2, c: 3 }, 'SQL argument c is not a parameter'],
    [{ a: Number.NaN, b: 2 }, 'SQL argument :a is not a finite number'],
  ])('rejects %o', (args, message) => {
    expect(() => boundByName(sql, readSql(sql), args)).toThrow(message);
  });
  it('rejects names if a parameter has none', () => {
    expect(() => boundByName('SELECT :a, ?', readSql('SELECT :a, ?'), { a: 1 })).toThrow('takes 2 arguments, 1 given');
  });
});
