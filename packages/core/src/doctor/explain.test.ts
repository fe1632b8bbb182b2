import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { webCryptoHmac } from '../auth/web-crypto-hmac.ts';
import { type Explanation, explainSignature } from './explain.ts';
import { MISTAKES, type MistakeName } from './mistakes.ts';
import { SEARCH_LIMITS } from './search.ts';
import {
  addressOf,
  baseString,
  digestOf,
  enc,
  encBut,
  FORM,
  NOW,
  normalized,
  originOf,
  type Plan,
  parametersOf,
  randomPlan,
  rightKey,
  rightSignature,
  rightText,
} from './testing/client.ts';
import { type Case, MISTAKEN_CLIENTS, received } from './testing/mistaken-clients.ts';
import { nodeHmac } from './testing/node-hmac.ts';
import { Random } from './testing/random.ts';

const names = Object.keys(MISTAKES).filter((name): name is MistakeName => name in MISTAKES);

function explain(made: Case): Promise<Explanation> {
  return explainSignature({ ...made, hmac: nodeHmac });
}

function ids({ findings }: Explanation): MistakeName[] {
  return findings.map(({ mistake }) => mistake);
}

/** A plain request with every part. */
const PLAN: Plan = {
  method: 'POST',
  scheme: 'https',
  host: 'ads.example.com',
  port: '',
  prefix: '',
  path: '/12/accounts/18ce54d4x5t/campaigns',
  query: [['name', 'Ladies + Gentlemen, 50% off!']],
  form: [['count', '2']],
  body: undefined,
  contentType: FORM,
  place: 'header',
  protocol: [
    ['oauth_consumer_key', 'ck_0123456789abcdef'],
    ['oauth_nonce', 'n0nceABC123'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(NOW)],
    ['oauth_token', '370773112-AccessTokenValue'],
    ['oauth_version', '1.0'],
  ],
  realm: undefined,
  secrets: { consumer: 'cs_secret/Value', token: 'ts_secret&Value' },
  headers: {},
  otherBases: [],
};

function signedAs(plan: Plan, text: string, key = rightKey(plan)): Case {
  return received(plan, nodeHmac(digestOf(plan), key, text), new Random(1));
}

describe('what is right is never blamed', () => {
  test('20,000 random requests that are signed well are valid, without findings', async () => {
    for (let seed = 1; seed <= 20_000; seed += 1) {
      const random = new Random(seed);
      const plan = randomPlan(random);
      const { verdict, findings, tried } = await explain(received(plan, rightSignature(plan), random));
      if (verdict !== 'valid' || findings.length > 0 || tried !== 1) expect.fail(`seed ${seed}: ${verdict}`);
    }
  });

  test('WebCrypto serves as well as an HMAC that answers at once', async () => {
    const right = { ...received(PLAN, rightSignature(PLAN), new Random(1)), hmac: webCryptoHmac };
    expect(await explainSignature(right)).toMatchObject({ verdict: 'valid', findings: [] });
    const wrong = signedAs(PLAN, rightText(PLAN).replace('POST', 'PUT'));
    expect(ids(await explainSignature({ ...wrong, hmac: webCryptoHmac }))).toEqual(['wrong_method']);
    const unknown = { ...signedAs(PLAN, 'x'), secrets: { consumer: '', token: '' } };
    expect(await explainSignature({ ...unknown, hmac: webCryptoHmac })).toMatchObject({ verdict: 'unexplained' });
  });
});

describe('what is not known is not named', () => {
  test('an unknown secret is unexplained, and no mistake is named for it', async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = new Random(seed);
      const plan = randomPlan(random);
      const signature = nodeHmac(digestOf(plan), `someone%27s&${seed}`, rightText(plan));
      const { verdict, findings, complete } = await explain(received(plan, signature, random));
      if (verdict !== 'unexplained' || findings.length > 0 || !complete) expect.fail(`seed ${seed}: ${verdict}`);
    }
  });

  test('it says where the parameters begin, what is expected, and to look at the secrets first', async () => {
    const {
      parameters_begin = 0,
      expected_base_string = '',
      ...rest
    } = await explain(signedAs(PLAN, rightText(PLAN), 'no&no'));
    expect(rest).toMatchObject({ verdict: 'unexplained', findings: [] });
    expect(rest).not.toHaveProperty('signed_base_string');
    expect(expected_base_string).toBe(rightText(PLAN));
    expect(expected_base_string.slice(0, parameters_begin)).toBe(`POST&${enc(addressOf(PLAN))}&`);
    expect(rest.checklist?.[0]).toContain('secret');
  });

  test('what stands beside an unexplained signature is still named', async () => {
    const made = { ...signedAs(PLAN, 'x'), nowSeconds: NOW + 1000, facts: { nonceUsed: true } };
    const explanation = await explain(made);
    expect(explanation.verdict).toBe('unexplained');
    expect(ids(explanation)).toEqual(['clock_skew', 'reused_nonce']);
  });
});

describe('the difference', () => {
  test('is told with its first position and some characters of both', async () => {
    const explanation = await explain(signedAs(PLAN, rightText(PLAN).replace('%2521', '%21')));
    expect(ids(explanation)).toEqual(['marks_left_raw']);
    const { first_difference: difference, expected_base_string = '', signed_base_string = '' } = explanation;
    expect(signed_base_string).toBe(rightText(PLAN).replace('%2521', '%21'));
    const position = difference?.position ?? -1;
    expect(expected_base_string.slice(0, position)).toBe(signed_base_string.slice(0, position));
    expect(expected_base_string.charAt(position)).not.toBe(signed_base_string.charAt(position));
    expect(difference).toEqual({
      position,
      expected: expected_base_string.slice(position - 16, position + 24),
      signed: signed_base_string.slice(position - 16, position + 24),
    });
  });

  test('is told from the very first character on', async () => {
    const { first_difference } = await explain(signedAs(PLAN, rightText(PLAN).replace('POST', 'GET')));
    expect(first_difference).toEqual({
      position: 0,
      expected: rightText(PLAN).slice(0, 24),
      signed: `GET${rightText(PLAN).slice(4, 25)}`,
    });
  });

  test('is none when only the key is wrong', async () => {
    const explanation = await explain(signedAs(PLAN, rightText(PLAN), 'ts_secret%26Value&cs_secret%2FValue'));
    expect(ids(explanation)).toEqual(['secrets_swapped']);
    expect(explanation.signed_base_string).toBe(explanation.expected_base_string);
    expect(explanation).not.toHaveProperty('first_difference');
  });
});

describe('two mistakes at once', () => {
  const lowerMethod = (text: string) => text.replace(/^[A-Z]+/, (method) => method.toLowerCase());
  const pairs: [MistakeName, MistakeName, (plan: Plan) => { text: string; key?: string }][] = [
    [
      'wrong_scheme',
      'trailing_slash',
      (plan) => ({
        text: baseString(
          plan.method,
          `${addressOf(plan).replace(/^https?/, (scheme) => (scheme === 'http' ? 'https' : 'http'))}/`,
          normalized(parametersOf(plan)),
        ),
      }),
    ],
    [
      'method_not_upper_case',
      'secrets_swapped',
      (plan) => ({
        text: lowerMethod(rightText(plan)),
        key: `${enc(plan.secrets.token ?? '')}&${enc(plan.secrets.consumer)}`,
      }),
    ],
    [
      'query_left_out',
      'token_secret_left_out',
      (plan) => ({
        text: baseString(plan.method, addressOf(plan), normalized(parametersOf({ ...plan, query: [] }))),
        key: `${enc(plan.secrets.consumer)}&`,
      }),
    ],
    [
      'form_left_out',
      'marks_left_raw',
      (plan) => ({
        text: baseString(
          plan.method,
          addressOf(plan),
          normalized(parametersOf({ ...plan, form: [] }), (text) => encBut(text, "!*'()")),
        ),
      }),
    ],
    [
      'port_left_out',
      'plus_for_space',
      (plan) => ({
        text: baseString(
          plan.method,
          originOf({ ...plan, port: '' }) + plan.path,
          normalized(parametersOf(plan), (text) => enc(text).replaceAll('%20', '+')),
        ),
      }),
    ],
    [
      'plus_for_space',
      'lower_case_hex',
      (plan) => ({
        text: baseString(
          plan.method,
          addressOf(plan),
          normalized(parametersOf(plan), (text) =>
            enc(text)
              .replaceAll('%20', '+')
              .replace(/%../g, (digits) => digits.toLowerCase()),
          ),
        ).replace(/%../g, (digits) => digits.toLowerCase()),
      }),
    ],
    [
      'oauth_parameter_left_out',
      'ampersand_missing',
      (plan) => ({
        text: baseString(
          plan.method,
          addressOf(plan),
          normalized(parametersOf(plan).filter(({ name }) => name !== 'oauth_version')),
        ),
        key: enc(plan.secrets.consumer) + enc(plan.secrets.token ?? ''),
      }),
    ],
    [
      'wrong_method',
      'not_sorted',
      (plan) => ({
        text: baseString(
          'DELETE',
          addressOf(plan),
          parametersOf(plan)
            .map(({ name, value }) => `${enc(name)}=${enc(value)}`)
            .join('&'),
        ),
      }),
    ],
  ];

  test.each(pairs)('%s and %s', async (first, second, write) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const random = new Random(seed);
      const name = `${random.text('abcdef', 2, 5)}! ${random.text('ghi', 2, 5)}`;
      const plan: Plan = {
        ...PLAN,
        port: '8443',
        query: [
          ['zone', 'é'],
          ['name', name],
        ],
      };
      const { text, key = rightKey(plan) } = write(plan);
      const explanation = await explain(received(plan, nodeHmac('sha1', key, text), random));
      expect(ids(explanation).toSorted()).toEqual([first, second].toSorted());
      expect(explanation).toMatchObject({ verdict: 'explained', signed_base_string: text });
    }
  });

  test('a wrong digest and a form of the signature come with any other', async () => {
    const url = nodeHmac('sha256', rightKey(PLAN), rightText(PLAN).replace('POST', 'PUT'))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace('=', '');
    expect(ids(await explain(received(PLAN, url, new Random(1)))).slice(0, 2)).toEqual([
      'wrong_method',
      'wrong_digest',
    ]);
  });
});

describe('secrets', () => {
  test('no secret, key or right signature gets into an explanation, whatever the client sends where', async () => {
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
            const told = JSON.stringify(
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
            for (const text of hidden) if (text && text.length >= 8) expect(told).not.toContain(text);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('whatever arrives', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('', '%', '%zz', 'a=b&a', '::', '[', 'http://x'),
  );
  const parameters = fc.array(fc.tuple(text, text), { maxLength: 12 });

  test('it answers, and throws nothing', async () => {
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
      'a JSON body of a thousand members',
      { form: undefined, contentType: 'application/json', body: JSON.stringify(Object.fromEntries(many(1000))) },
    ],
    ['a thousand parameters of one name', { query: many(1000).map(([, value]): [string, string] => ['a', value]) }],
  ])('%s: the search is cut short instead of going on', async (_, given) => {
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

describe('what the caller knows', () => {
  test('a secret of another app is named by the name that the caller gives it', async () => {
    const made = {
      ...signedAs(PLAN, rightText(PLAN), `old-secret&${enc(PLAN.secrets.token ?? '')}`),
      otherSecrets: [{ name: 'the app "Old"', consumer: 'old-secret' }],
    };
    expect((await explain(made)).findings).toMatchObject([
      { mistake: 'wrong_consumer_secret', detail: 'The secret of the app "Old" was used.' },
    ]);
  });

  test('a signature under the secrets of a known app tells a mistyped key', async () => {
    const made = {
      ...signedAs(PLAN, rightText(PLAN), 'old-secret&t0ken'),
      secrets: undefined,
      otherSecrets: [{ name: 'Old', consumer: 'old-secret', token: 't0ken' }],
    };
    expect(ids(await explain(made))).toEqual(['unknown_consumer_key', 'wrong_consumer_secret']);
  });

  test('milliseconds are named although such a timestamp cannot be read', async () => {
    const protocol = PLAN.protocol.map(
      ([name, value]) => [name, name === 'oauth_timestamp' ? `${value}123` : value] as const,
    );
    const { verdict, findings } = await explain(received({ ...PLAN, protocol }, 'x', new Random(1)));
    expect(verdict).toBe('malformed');
    expect(findings).toMatchObject([{ mistake: 'timestamp_in_milliseconds', detail: 'It is in milliseconds.' }]);
  });

  test('a proxy that says which scheme was called is quoted', async () => {
    const made = signedAs(PLAN, rightText(PLAN).replace('https', 'http'));
    const headers = { ...made.headers, 'x-forwarded-proto': 'http' };
    expect((await explain({ ...made, headers })).findings).toMatchObject([
      { mistake: 'wrong_scheme', detail: 'http was signed, and X-Forwarded-Proto says so too.' },
    ]);
  });

  test('everything that is wrong is told, in the order in which to put it right', async () => {
    const made = signedAs(PLAN, rightText(PLAN).replace('POST', 'PUT'));
    const explanation = await explain({ ...made, nowSeconds: NOW + 400, facts: { token: 'revoked', nonceUsed: true } });
    expect(explanation.verdict).toBe('explained');
    expect(ids(explanation)).toEqual(['clock_skew', 'wrong_method', 'revoked_token', 'reused_nonce']);
  });
});
