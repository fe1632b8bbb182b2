import { describe, expect, test } from 'vitest';
import { webCryptoHmac } from '../auth/web-crypto-hmac.ts';
import { explainSignature } from './explain.ts';
import type { MistakeName } from './mistakes.ts';
import {
  addressOf,
  baseString,
  digestOf,
  enc,
  encBut,
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
import { explain, ids, PLAN, signedAs } from './testing/explained.ts';
import { received } from './testing/mistaken-client.ts';
import { nodeHmac } from './testing/node-hmac.ts';
import { Random } from './testing/random.ts';
import { REQUESTS } from './testing/verify-named.ts';

describe('no false positives', () => {
  test(`${20 * REQUESTS} correctly signed random requests are valid, without findings`, async () => {
    for (let seed = 1; seed <= 20 * REQUESTS; seed += 1) {
      const random = new Random(seed);
      const plan = randomPlan(random);
      const { verdict, findings, tried } = await explain(received(plan, rightSignature(plan), random));
      if (verdict !== 'valid' || findings.length > 0 || tried !== 1) expect.fail(`seed ${seed}: ${verdict}`);
    }
  });

  test('WebCrypto works as well as a synchronous HMAC', async () => {
    const right = { ...received(PLAN, rightSignature(PLAN), new Random(1)), hmac: webCryptoHmac };
    expect(await explainSignature(right)).toMatchObject({ verdict: 'valid', findings: [] });
    const wrong = signedAs(PLAN, rightText(PLAN).replace('POST', 'PUT'));
    expect(ids(await explainSignature({ ...wrong, hmac: webCryptoHmac }))).toEqual(['wrong_method']);
    const unknown = { ...signedAs(PLAN, 'x'), secrets: { consumer: '', token: '' } };
    expect(await explainSignature({ ...unknown, hmac: webCryptoHmac })).toMatchObject({ verdict: 'unexplained' });
  });
});

describe('unknown causes are not named', () => {
  test('an unknown secret is unexplained, and no mistake is reported for it', async () => {
    // Each takes the longest search.
    for (let seed = 1; seed <= REQUESTS / 2; seed += 1) {
      const random = new Random(seed);
      const plan = randomPlan(random);
      const signature = nodeHmac(digestOf(plan), `someone%27s&${seed}`, rightText(plan));
      const { verdict, findings, complete } = await explain(received(plan, signature, random));
      if (verdict !== 'unexplained' || findings.length > 0 || !complete) expect.fail(`seed ${seed}: ${verdict}`);
    }
  });

  test('it gives the position of the parameters and the expected base string, and advises to check the secrets first', async () => {
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

  test('problems besides an unexplained signature are still reported', async () => {
    const made = { ...signedAs(PLAN, 'x'), nowSeconds: NOW + 1000, facts: { nonceUsed: true } };
    const explanation = await explain(made);
    expect(explanation.verdict).toBe('unexplained');
    expect(ids(explanation)).toEqual(['clock_skew', 'reused_nonce']);
  });
});

describe('the difference', () => {
  test('is reported with its first position and some characters of both', async () => {
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

  test('is reported even at the very first character', async () => {
    const { first_difference } = await explain(signedAs(PLAN, rightText(PLAN).replace('POST', 'GET')));
    expect(first_difference).toEqual({
      position: 0,
      expected: rightText(PLAN).slice(0, 24),
      signed: `GET${rightText(PLAN).slice(4, 25)}`,
    });
  });

  test('is absent when only the key is wrong', async () => {
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

  test('a wrong digest and a signature form can be combined with any other mistake', async () => {
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

describe('facts from the caller', () => {
  test('a secret of another app is reported under the name from the caller', async () => {
    const made = {
      ...signedAs(PLAN, rightText(PLAN), `old-secret&${enc(PLAN.secrets.token ?? '')}`),
      otherSecrets: [{ name: 'the app "Old"', consumer: 'old-secret' }],
    };
    expect((await explain(made)).findings).toMatchObject([
      { mistake: 'wrong_consumer_secret', detail: 'The secret of the app "Old" was used.' },
    ]);
  });

  test('a signature under the secrets of a known app reveals a mistyped key', async () => {
    const made = {
      ...signedAs(PLAN, rightText(PLAN), 'old-secret&t0ken'),
      secrets: undefined,
      otherSecrets: [{ name: 'Old', consumer: 'old-secret', token: 't0ken' }],
    };
    expect(ids(await explain(made))).toEqual(['unknown_consumer_key', 'wrong_consumer_secret']);
  });

  test('milliseconds are reported although such a timestamp is malformed', async () => {
    const protocol = PLAN.protocol.map(
      ([name, value]) => [name, name === 'oauth_timestamp' ? `${value}123` : value] as const,
    );
    const { verdict, findings } = await explain(received({ ...PLAN, protocol }, 'x', new Random(1)));
    expect(verdict).toBe('malformed');
    expect(findings).toMatchObject([{ mistake: 'timestamp_in_milliseconds', detail: 'It is in milliseconds.' }]);
  });

  test('a proxy header with the called scheme is quoted', async () => {
    const made = signedAs(PLAN, rightText(PLAN).replace('https', 'http'));
    const headers = { ...made.headers, 'x-forwarded-proto': 'http' };
    expect((await explain({ ...made, headers })).findings).toMatchObject([
      { mistake: 'wrong_scheme', detail: 'http was signed, and X-Forwarded-Proto says so too.' },
    ]);
  });

  test('all problems are reported, in the order in which to fix them', async () => {
    const made = signedAs(PLAN, rightText(PLAN).replace('POST', 'PUT'));
    const explanation = await explain({ ...made, nowSeconds: NOW + 400, facts: { token: 'revoked', nonceUsed: true } });
    expect(explanation.verdict).toBe('explained');
    expect(ids(explanation)).toEqual(['clock_skew', 'wrong_method', 'revoked_token', 'reused_nonce']);
  });
});
