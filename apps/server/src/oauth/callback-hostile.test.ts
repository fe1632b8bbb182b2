/** Hostile callback addresses: what is registered leads where it says, with the token of the flow and nothing else. */
import { callbackFault, refusedCallbackSchemes } from '@broadside/core/resources/apps';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageHeaders } from '../adapters/pages/policy.ts';
import { approvedCallback, cancelledCallback } from './callback.ts';

const scheme = fc.oneof(
  fc.constantFrom('https', 'http', 'HTTPS', 'hTTp', 'myapp', 'com.example.app', 'a+b-c.d', ''),
  fc.constantFrom(
    ...refusedCallbackSchemes,
    'JavaScript',
    'java\tscript',
    'DATA',
    ' javascript',
    '\u0000javascript',
    'ｊavascript',
  ),
);
const joint = fc.constantFrom('://', ':', ':/', ':///', ':\\\\', '：//', ':////', '//', '\t://', ':%2f%2f', '');
const authority = fc.constantFrom(
  ...[
    'app.example.com',
    'app.example.com:8443',
    '127.0.0.1:1',
    '[::1]',
    'localhost',
    'user@app.example.com',
    '@evil.example',
  ],
  ...[
    'app.example.com@evil.example',
    'app.example.com%40evil.example',
    'app.example.com%2f@evil.example',
    'app.example.com\\@evil.example',
  ],
  ...[
    'app.example.com;evil.example',
    "app.example.com'",
    'app.example.com, evil.example',
    'аpp.example.com',
    'app。example.com',
    '0x7f.1',
  ],
  ...[
    'app.example.com:80:90',
    'app.example.com:99999',
    '[::1',
    ']',
    '..',
    '%00',
    'app.example.com%0d%0a',
    '*',
    '*.example.com',
    '',
  ],
);
const rest = fc.constantFrom(
  ...[
    '',
    '/',
    '/cb',
    '/cb?',
    '/cb?x=1',
    '/cb?x=1&',
    '?',
    '?x',
    '#',
    '/cb#part',
    '/cb?x=1#oauth_verifier=',
    '//evil.example',
    '/..//evil.example',
  ],
  ...[
    '/\\evil.example',
    '/%5cevil.example',
    '/cb?oauth_token=mine',
    '/cb?oauth_verifier=mine&',
    '/cb;form-action *',
    '/cb%0d%0aSet-Cookie:a=b',
  ],
  ...[
    '/cb\r\nLocation: https://evil.example',
    '/cb\n',
    '/ ',
    '/<script>alert(1)</script>',
    '/"onload="',
    "/'",
    '/%',
    '/%zz',
    '/\u0000',
    '/é',
    '/😀',
  ],
  ...[
    '/cb?return=https://evil.example',
    '/cb?x=javascript:alert(1)',
    '/cb?&&&',
    '/cb??',
    '/cb?=',
    '/{x}',
    '/`x`',
    '/a|b',
    '/^',
  ],
);
const random = fc.string({ unit: 'binary', maxLength: 20 });
const address = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(scheme, joint, authority, rest).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.tuple(scheme, joint, authority, random).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }) },
  { weight: 1, arbitrary: random },
);
const secret = fc.string({
  unit: fc.constantFrom('a', 'Z', '9', '-', '_', '&', '=', '#', '?', '%', '+', '\r\n'),
  minLength: 1,
});

test('ten thousand hostile addresses lead to no other host, run no script, and leak no credential', () => {
  let accepted = 0;
  fc.assert(
    fc.property(address, secret, secret, (callback, token, verifier) => {
      const fault = callbackFault(callback);
      if (fault !== undefined) return;
      accepted++;
      const registered = new URL(callback);
      const scheme = registered.protocol.slice(0, -1);
      expect(refusedCallbackSchemes.has(scheme), callback).toBe(false);
      // What a scheme of an app has before an @ is up to the app.
      if (/^https?$/.test(scheme)) expect([registered.username, registered.password], callback).toEqual(['', '']);
      expect(registered.hash, callback).toBe('');
      for (const [sent, wanted] of [
        [approvedCallback(callback, token, verifier), { oauth_token: token, oauth_verifier: verifier }],
        [cancelledCallback(callback, token), { denied: token }],
      ] as const) {
        // One line of visible ASCII, which begins with what was registered.
        expect(sent).toMatch(/^[\x21-\x7e]+$/);
        expect(sent.startsWith(callback)).toBe(true);
        const reached = new URL(sent);
        expect([reached.protocol, reached.host, reached.pathname], sent).toEqual([
          registered.protocol,
          registered.host,
          registered.pathname,
        ]);
        // In the query, which no other place receives: neither the fragment nor the host.
        expect(reached.hash).toBe('');
        for (const [name, value] of Object.entries(wanted))
          expect(reached.searchParams.getAll(name).at(-1)).toBe(value);
      }
      // The policy of the pages of the flow lets forms lead to the scheme of the callback, and has no directive from its text.
      const policy = pageHeaders(callback)['content-security-policy'] ?? '';
      const plain = pageHeaders()['content-security-policy'] ?? '';
      expect(policy.split(';')).toHaveLength(plain.split(';').length);
      const target = scheme === 'http' ? 'http: https:' : `${scheme}:`;
      expect(policy).toBe(plain.replace("form-action 'self'", `form-action 'self' ${target}`));
    }),
    { numRuns: 10_000 },
  );
  // The generator is not so hostile that nothing is left to verify.
  expect(accepted).toBeGreaterThan(300);
});
