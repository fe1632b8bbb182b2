import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equalSecrets, SecretBox, tokenHash, UnknownKeyError } from './secrets.ts';

const [A, B, C] = [Buffer.alloc(32, 'a'), Buffer.alloc(32, 'b'), Buffer.alloc(32, 'c')];

describe('SecretBox', () => {
  test('opens what it sealed, whatever it is', () => {
    const box = new SecretBox([A]);
    const fresh = () => new SecretBox([A]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const secret = text.toWellFormed();
        const sealed = box.seal(secret);
        expect(box.open(sealed)).toBe(secret);
        expect(fresh().open(sealed)).toBe(secret);
      }),
    );
  });

  test('seals the same secret differently each time, and never shows it', () => {
    const box = new SecretBox([A]);
    const sealed = Array.from({ length: 50 }, () => box.seal('consumer-secret'));
    expect(new Set(sealed).size).toBe(50);
    for (const text of sealed) {
      expect(text).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
      expect(Buffer.from(text.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain('consumer');
    }
  });

  test('rejects an altered text, also one that it has opened before', () => {
    const sealed = new SecretBox([A]).seal('consumer-secret');
    const box = new SecretBox([A]);
    expect(box.open(sealed)).toBe('consumer-secret');
    // The first character of each part; the last one of base64 can stand for the same bytes as another.
    for (const at of [0, 3, 12, 29, 40]) {
      const altered = `${sealed.slice(0, at)}${sealed[at] === '0' ? '1' : '0'}${sealed.slice(at + 1)}`;
      expect(() => box.open(altered), altered).toThrow();
    }
    for (const part of ['', 'v1', 'v1.', sealed.slice(0, -4), `${sealed}AAAA`, sealed.replace('v1', 'v2')]) {
      expect(() => box.open(part), part).toThrow();
    }
  });

  test('opens under each key that it has, seals under the first, and names the one that it lacks', () => {
    const [old, current, both] = [new SecretBox([A]), new SecretBox([B]), new SecretBox([B, A])];
    expect(both.open(old.seal('x'))).toBe('x');
    expect(both.open(current.seal('x'))).toBe('x');
    expect(current.open(both.seal('x'))).toBe('x');
    expect(() => old.open(both.seal('x'))).toThrow(UnknownKeyError);
    expect(() => new SecretBox([C]).open(old.seal('x'))).toThrow(UnknownKeyError);
    expect(both.seal('x').startsWith(both.currentPrefix)).toBe(true);
    expect([old.isRotating, both.isRotating, both.currentPrefix === current.currentPrefix]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('takes keys of 32 bytes only', () => {
    for (const key of [Buffer.alloc(31), Buffer.alloc(33), Buffer.alloc(0)]) {
      expect(() => new SecretBox([key])).toThrow(TypeError);
      expect(() => new SecretBox([A, key])).toThrow(TypeError);
    }
  });

  test('the sealed text does not reveal the key', () => {
    const sealed = new SecretBox([A]).seal('x');
    expect(sealed).not.toContain(A.toString('hex').slice(0, 8));
    expect(sealed).not.toContain(A.toString('base64url').slice(0, 8));
  });
});

test('equalSecrets distinguishes equal from different, at any length', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(equalSecrets(one, other)).toBe(one === other);
      expect(equalSecrets(one, one)).toBe(true);
    }),
  );
  expect([equalSecrets('', ''), equalSecrets('a', ''), equalSecrets('a', 'aa')]).toEqual([true, false, false]);
});

test('tokenHash is SHA-256', () => {
  expect(tokenHash('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});
