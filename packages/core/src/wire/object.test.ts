import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import { extended, object, strictObject } from './object.ts';
import { id, text } from './types.ts';

it('makes members when they are first read, once for a schema and its copies', () => {
  const make = vi.fn(() => ({ name: text() }));
  const schema = object(make);
  const described = schema.describe('A bird.');
  const optional = described.optional();
  expect(make).not.toHaveBeenCalled();

  expect(optional.parse({ name: 'Wren', wings: 2 })).toEqual({ name: 'Wren' });
  expect(schema.shape.name).toBe(described.shape.name);
  expect(schema.pick({ name: true }).shape.name).toBe(schema.shape.name);
  expect(make).toHaveBeenCalledTimes(1);
});

it('rejects further members of a strict object', () => {
  const make = vi.fn(() => ({ name: text() }));
  const schema = strictObject(make);
  expect(make).not.toHaveBeenCalled();
  expect(schema.parse({ name: 'Wren' })).toEqual({ name: 'Wren' });
  expect(schema.safeParse({ name: 'Wren', wings: 2 }).success).toBe(false);
});

it('adds members without making those of either', () => {
  const make = vi.fn(() => ({ name: text(), nest: text() }));
  const more = vi.fn(() => ({ nest: id(), bird_id: id() }));
  const base = object(make);
  const schema = extended(base, more);
  expect(make).not.toHaveBeenCalled();
  expect(more).not.toHaveBeenCalled();

  expect(Object.keys(schema.shape)).toEqual(['name', 'nest', 'bird_id']);
  expect(schema.shape.name).toBe(base.shape.name);
  expect(schema.shape.nest).not.toBe(base.shape.nest);
});

it('makes nearly no member but those of many schemas as the contract is loaded', async () => {
  const made = new Set<unknown>();
  vi.resetModules();
  z.config({ postProcessor: (schema: unknown) => made.add(schema) });
  const { operationById } = await import('../index.ts');
  z.config({ postProcessor: undefined });

  const schemas = new Map<z.ZodObject, string>();
  const owners = new Map<unknown, Set<z.ZodObject>>();
  for (const { id, params, data, batch } of operationById.values()) {
    for (const schema of [params, data, batch?.Create, batch?.Update, batch?.Delete]) {
      if (!(schema instanceof z.ZodObject)) continue;
      schemas.set(schema, id);
      for (const member of Object.values(schema.shape))
        owners.set(member, (owners.get(member) ?? new Set()).add(schema));
    }
  }
  const early = [...schemas].flatMap(([schema, id]) => {
    const own = Object.entries(schema.shape).filter(
      ([, member]) => made.has(member) && (owners.get(member)?.size ?? 0) < 4,
    );
    // Single ones are written as constants.
    return own.length > 2 ? `${id}: ${own.map(([name]) => name).join(', ')}` : [];
  });
  expect(early, 'are made as modules are loaded; see wire/object.ts').toEqual([]);
});
