import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEARCH_LIMITS } from './search.ts';
import {
  digestOf,
  enc,
  FORM,
  NOW,
  type Plan,
  randomPlan,
  rightKey,
  rightSignature,
  rightText,
} from './testing/client.ts';
import { explain, names, PLAN, signedAs } from './testing/explained.ts';
import { type Case, received } from './testing/mistaken-client.ts';
import { MISTAKEN_CLIENTS } from './testing/mistaken-clients.ts';
import { nodeHmac } from './testing/node-hmac.ts';
import { Random } from './testing/random.ts';

describe('secrets', () => {
  test('no secret, key or valid signature appears in an explanation, whatever the client sends', async () => {
    const secretText = fc.stringMatching(/^[A-Za-z0-9+/=%& é]{12,40}$/).filter((text) => text.trim() === text);
    await fc.assert(
      fc.asyncProperty(
        secretText,
        secretText,
        secretText,
        fc.nat(),
        fc.constantFrom(...names),
        async (consumer, token, other, seed, name) => {
          const random = new Random(seed);
          const mistaken = MISTAKEN_CLIENTS[name](random);
          const plan = { ...randomPlan(random), secrets: { consumer, token } };
          const leaking: Plan = {
            ...plan,
            query: [
              ['a', consumer],
              ['b', enc(token)],
              [other, '1'],
            ],
            protocol: plan.protocol.map(([key, value]) => [key, key === 'oauth_token' ? token : value]),
          };
          const right = rightSignature(leaking);
          const wrong = nodeHmac(digestOf(leaking), rightKey(leaking), rightText(leaking).replace('a%3D', 'b%3D'));
          const cases: Case[] = [
            received(leaking, right, random),
            received(leaking, wrong, random),
            received(leaking, `${consumer}&${token}`, random),
            received({ ...leaking, method: 'PUT' }, right, random),
            ...(mistaken ? [mistaken] : []),
          ];
          for (const made of cases) {
            const explanation = JSON.stringify(
              await explain({ otherSecrets: [{ name: 'other', consumer: other, token: other }], ...made }),
            );
            const { secrets } = made;
            const hidden = [
              secrets?.consumer,
              secrets?.token,
              enc(secrets?.consumer ?? ''),
              enc(secrets?.token ?? ''),
              other,
              right,
            ];
            for (const text of hidden) if (text && text.length >= 8) expect(explanation).not.toContain(text);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('any input', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('', '%', '%zz', 'a=b&a', '::', '[', 'http://x'),
  );
  const parameters = fc.array(fc.tuple(text, text), { maxLength: 12 });

  test('it returns a result and does not throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          method: text,
          target: fc.oneof(
            text,
            parameters.map((pairs) => `/x?${pairs.map((pair) => pair.map(encodeLoosely).join('=')).join('&')}`),
          ),
          authorization: fc.option(
            fc.oneof(
              text,
              fc
                .tuple(text, text, text)
                .map(
                  ([key, nonce, signature]) =>
                    `OAuth oauth_consumer_key="${encodeLoosely(key)}",oauth_nonce="${encodeLoosely(nonce)}",oauth_signature="${encodeLoosely(signature)}",oauth_signature_method="HMAC-SHA1",oauth_timestamp="${NOW}"`,
                ),
            ),
            { nil: undefined },
          ),
          contentType: fc.option(
            fc.oneof(text, fc.constantFrom(FORM, 'application/json', 'multipart/form-data; boundary=a')),
            { nil: undefined },
          ),
          body: fc.option(
            fc.oneof(
              text,
              fc.json(),
              parameters.map((pairs) => pairs.map((pair) => pair.map(encodeLoosely).join('=')).join('&')),
            ),
            { nil: undefined },
          ),
        }),
        fc.oneof(text, fc.constant('http://127.0.0.1:8001')),
        fc.record({
          host: text,
          'x-forwarded-host': text,
          'x-forwarded-proto': text,
          'x-forwarded-port': text,
          'x-forwarded-prefix': text,
        }),
        fc.option(fc.record({ consumer: text, token: fc.option(text, { nil: undefined }) }), { nil: undefined }),
        async (request, base, headers, secrets) => {
          const explanation = await explain({
            request,
            base,
            otherBases: [base, 'x'],
            headers,
            secrets,
            otherSecrets: [{ name: 'x', consumer: base }],
            nowSeconds: NOW,
          });
          expect(explanation.tried).toBeLessThanOrEqual(SEARCH_LIMITS.signatures);
          expect(explanation.findings.length > 0 || ['unexplained', 'valid'].includes(explanation.verdict)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  function encodeLoosely(each: string): string {
    return encodeURIComponent(each.toWellFormed());
  }

  test.each([
    ['2,000 parameters', { query: many(1000), form: many(1000) }],
    ['a form value of half a million characters', { form: [['a', '!é '.repeat(170_000)]] as const }],
    [
      'a JSON body with a thousand members',
      { form: undefined, contentType: 'application/json', body: JSON.stringify(Object.fromEntries(many(1000))) },
    ],
    ['a thousand parameters with one name', { query: many(1000).map(([, value]): [string, string] => ['a', value]) }],
  ])('%s: the search stops early', async (_, given) => {
    const plan = { ...PLAN, ...given };
    const { verdict, tried, complete, expected_base_string = '' } = await explain(signedAs(plan, 'x'));
    expect({ verdict, complete }).toEqual({ verdict: 'unexplained', complete: false });
    expect(tried).toBeLessThan(1000);
    expect(expected_base_string.length).toBeLessThan(17_000);
  });

  function many(count: number): [string, string][] {
    return Array.from({ length: count }, (_, index) => [`name ${index}`, `value ${index * 7919}!`]);
  }
});
