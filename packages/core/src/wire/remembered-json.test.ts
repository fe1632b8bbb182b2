import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { rememberingSerializerOf, rememberJson } from './remembered-json.ts';

const bird = z.object({ name: z.string() });
const ringed = z.object({ name: z.string(), ring: z.number() });

/** A bird that counts how often its name was read. */
function counted() {
  let read = 0;
  const value = {
    ring: 7,
    get name() {
      read++;
      return 'wren';
    },
  };
  return { value, count: () => read };
}

describe('a serializer that remembers', () => {
  it('writes an object that is remembered once', () => {
    const { value, count } = counted();
    rememberJson(value);
    const write = rememberingSerializerOf(bird);
    expect([write(value), write(value)]).toEqual(['{"name":"wren"}', '{"name":"wren"}']);
    rememberJson(value);
    expect(write(value)).toBe('{"name":"wren"}');
    expect(count()).toBe(1);
  });

  it('writes other objects each time', () => {
    const { value, count } = counted();
    const write = rememberingSerializerOf(bird);
    expect([write(value), write(value)]).toEqual(['{"name":"wren"}', '{"name":"wren"}']);
    expect(count()).toBe(2);
    expect(write({ name: 'a' }) + write({ name: 'b' })).toBe('{"name":"a"}{"name":"b"}');
    expect(write(null)).toBe('null');
  });

  it('writes one object by each schema that is asked for', () => {
    const { value } = counted();
    rememberJson(value);
    const [short, long] = [rememberingSerializerOf(bird), rememberingSerializerOf(ringed)];
    expect([short(value), long(value), short(value), long(value)]).toEqual([
      '{"name":"wren"}',
      '{"name":"wren","ring":7}',
      '{"name":"wren"}',
      '{"name":"wren","ring":7}',
    ]);
  });
});
