import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { action, href } from './address.ts';

describe('an address on a page', () => {
  test.each(['/settings', '/settings/apps/1/keys', '/oauth/authorize?oauth_token=a%20b&x=1', '#name'])(
    'may be %s',
    (path) => {
      expect(href(path).text).toBe(` href="${path.replace('&', '&amp;')}"`);
    },
  );

  test.each([
    'javascript:alert(1)',
    'https://elsewhere.example/',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '\\\\elsewhere.example',
    '/a\n/b',
    '/\t/elsewhere.example',
    ' /settings',
    'settings',
    '/a"b',
    '',
  ])('is never %j', (path) => {
    expect(() => href(path)).toThrow(TypeError);
    expect(() => action(path)).toThrow(TypeError);
  });

  test('stays on this server, whatever text it contains', () => {
    const origin = 'https://here.example';
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '%2F',
      '?',
      '#',
      '\t',
      '\n',
      'a',
      'elsewhere.example',
      'javascript:',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = pieces.join('');
        let accepted = true;
        try {
          href(path);
        } catch {
          accepted = false;
        }
        if (accepted) expect(new URL(path, `${origin}/settings`).origin).toBe(origin);
      }),
      { numRuns: 2000 },
    );
  });
});
