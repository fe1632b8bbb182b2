import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineOperatorOperation } from '../operation/define.ts';
import type { Envelope } from '../operation/operation.ts';
import { outcomeProjectorOf, projectorOf } from './project.ts';
import { int, list, long, text } from './types.ts';

const Inner = z.object({ a: int() });
const Outer = z.object({
  id: text(),
  amount: long().nullable(),
  inner: Inner.nullable().optional(),
  many: z.array(Inner),
  tags: list(text(), { max: 3 }),
});

describe('a projector', () => {
  test('omits members that the schema does not name, at every depth', () => {
    const row = {
      id: 'x',
      amount: 2n ** 60n,
      inner: { a: 1, secret: 1 },
      many: [{ a: 1, secret: 1 }],
      tags: ['t'],
      secret: 1,
    };
    const cut = projectorOf(Outer)(row);
    expect(cut).toStrictEqual({ id: 'x', amount: 2n ** 60n, inner: { a: 1 }, many: [{ a: 1 }], tags: ['t'] });
    expect(row.inner).toHaveProperty('secret');
  });

  test('keeps null, and omits undefined members', () => {
    const cut = projectorOf(Outer)({ id: 'x', amount: null, inner: undefined, many: [], tags: [] });
    expect(cut).toStrictEqual({ id: 'x', amount: null, many: [], tags: [] });
    expect(projectorOf(Outer)({ id: 'x', inner: null })).toStrictEqual({ id: 'x', inner: null });
  });

  test('is compiled once', () => {
    expect(projectorOf(Outer)).toBe(projectorOf(Outer));
  });
});

describe('the result of an operation', () => {
  const project = (envelope: Envelope) =>
    outcomeProjectorOf(
      defineOperatorOperation({
        id: 'things.do',
        summary: 'Do things',
        procedure: 'query',
        envelope,
        params: z.object({}),
        data: Inner,
        errors: [],
        example: { params: {}, data: { a: 1 } },
      }),
    );
  const row = { a: 1, secret: 1 };

  test.each<[Envelope, unknown, unknown]>([
    ['entity', row, { a: 1 }],
    ['message', row, { a: 1 }],
    ['values', [row, row], [{ a: 1 }, { a: 1 }]],
    ['batch', [row], [{ a: 1 }]],
    ['list', { data: [row], next_cursor: null, secret: 1 }, { data: [{ a: 1 }], next_cursor: null }],
    ['list', { data: [], next_cursor: 'c', total_count: 0 }, { data: [], next_cursor: 'c', total_count: 0 }],
  ])('is projected in an envelope of kind %s', (envelope, outcome, cut) => {
    expect(project(envelope)(outcome)).toStrictEqual(cut);
  });

  test.each<[Envelope, unknown]>([
    ['values', row],
    ['batch', { data: [row] }],
    ['list', [row]],
    ['list', { next_cursor: null }],
  ])('is rejected where a handler returned something other than %s', (envelope, outcome) => {
    expect(() => project(envelope)(outcome)).toThrow(TypeError);
  });
});
