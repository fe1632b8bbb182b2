/** Clients with mistakes besides the signature, or whose requests cannot be parsed. */
import type { REQUEST_TEXTS } from '../../texts/request.ts';
import { type Encoded, FORM, NOW, type Plan, randomPlan, rightSignature } from '../client.ts';
import { ALNUM, type Case, type MistakenClient, received, signed } from '../mistaken-client.ts';
import type { Random } from '../random.ts';

export const REQUEST_CLIENTS: Readonly<Record<keyof typeof REQUEST_TEXTS, MistakenClient>> = {
  not_signed: (random) => {
    const plan = randomPlan(random);
    const whole = received({ ...plan, place: 'header' }, 'x', random);
    const authorization = random.pick([undefined, `Bearer ${random.text(ALNUM, 20, 40)}`, '']);
    return { ...whole, request: { ...whole.request, authorization } };
  },
  clock_skew: at((random) => String(NOW + random.pick([-1, 1]) * (301 + random.below(1200)))),
  timestamp_in_local_time: at((random) =>
    String(NOW + random.pick([-8, -5, -4, 1, 2, 3, 5.5, 9]) * 3600 + random.below(121) - 60),
  ),
  timestamp_in_milliseconds: at((random) => random.pick([`${NOW}${100 + random.below(900)}`, `${NOW}123456`])),
  reused_nonce: byFact(() => ({ facts: { nonceUsed: true } })),
  unknown_consumer_key: byFact((random) => ({
    secrets: undefined,
    ...(random.chance(50) ? {} : { facts: { consumer: 'unknown' as const } }),
  })),
  unknown_token: (random) => {
    const plan = randomPlan(random);
    if (plan.secrets.token === undefined) return undefined;
    return signed(plan, random, {
      known: { secrets: { consumer: plan.secrets.consumer }, facts: { token: 'unknown' } },
    });
  },
  token_of_other_app: byFact((random) => ({
    facts: { token: 'other_app' },
    ...(random.chance(50) ? {} : { secrets: undefined }),
  })),
  revoked_token: byFact(() => ({ facts: { token: 'revoked' } })),
  token_missing: byFact(() => ({ facts: { token: 'missing' } })),
  wrong_body_hash: byFact(() => ({ facts: { bodyHashWrong: true } })),
  malformed_host: byFact((random) => ({ base: random.pick(['http://', 'http://a b', 'ftp://x', 'http://h?x', '']) })),
  malformed_target: breakSent((request) => ({ ...request, target: `${request.target}#top` })),
  malformed_query: breakSent((request) => ({
    ...request,
    target: `${request.target}${request.target.includes('?') ? '&' : '?'}discount=50%`,
  })),
  malformed_form: breakSent(
    (request) => ({ ...request, body: `${request.body}&discount=50%` }),
    (random) => randomPlan(random, { method: 'POST', form: [['a', 'b']], contentType: FORM, place: 'header' }),
  ),
  malformed_header: breakSent(
    ({ authorization = '', ...request }, random) => ({
      ...request,
      authorization: random.pick([
        authorization.replaceAll('"', ''),
        `${authorization}, x`,
        authorization.replaceAll(', ', '; '),
      ]),
    }),
    inHeader,
  ),
  header_too_long: breakSent(
    (request) => ({ ...request, authorization: `${request.authorization}, x="${'y'.repeat(9000)}"` }),
    inHeader,
  ),
  too_many_parameters: breakSent(
    (request) => ({ ...request, target: `${request.target.split('?', 1)[0]}?${'a=1&'.repeat(1001)}` }),
    inHeader,
  ),
  duplicate_parameter: breakSent(
    (request) => ({ ...request, authorization: `${request.authorization}, oauth_nonce="again"` }),
    inHeader,
  ),
  credentials_in_two_places: breakSent(
    (request) => ({ ...request, target: `${request.target.split('?', 1)[0]}?oauth_signature_method=HMAC-SHA1` }),
    inHeader,
  ),
  unsupported_parameter: breakSent(
    (request) => ({ ...request, authorization: `${request.authorization}, oauth_x="1"` }),
    inHeader,
  ),
  missing_parameter: byProtocol((plan, random) => {
    const left = random.pick(['oauth_consumer_key', 'oauth_nonce', 'oauth_timestamp', 'oauth_signature_method']);
    return plan.protocol.filter(([name]) => name !== left);
  }),
  unsupported_signature_method: byProtocol((plan, random) =>
    plan.protocol.map(([name, value]) => [
      name,
      name === 'oauth_signature_method' ? random.pick(['PLAINTEXT', 'RSA-SHA1', 'hmac-sha1']) : value,
    ]),
  ),
  unsupported_version: byProtocol((plan) => [
    ...plan.protocol.filter(([name]) => name !== 'oauth_version'),
    ['oauth_version', '2.0'],
  ]),
  malformed_timestamp: at((random) => random.pick(['now', '1790000000.5', '-5', '0179', '2026-11-21T00:00:00Z'])),
  invalid_nonce: byProtocol((plan) =>
    plan.protocol.map(([name, value]) => [name, name === 'oauth_nonce' ? `${value} x` : value]),
  ),
};

/** A correctly signed request with another problem. */
function byFact(known: (random: Random) => Partial<Case>): MistakenClient {
  return (random) => signed(randomPlan(random), random, { known: known(random) });
}

function byProtocol(
  change: (plan: Plan, random: Random) => readonly Encoded[],
  known: Partial<Case> = {},
): MistakenClient {
  return (random) => {
    const plan = randomPlan(random);
    return signed({ ...plan, protocol: change(plan, random) }, random, { known });
  };
}

function at(seconds: (random: Random) => string): MistakenClient {
  return byProtocol((plan, random) =>
    plan.protocol.map(([name, value]) => [name, name === 'oauth_timestamp' ? seconds(random) : value]),
  );
}

function breakSent(
  change: (request: Case['request'], random: Random) => Case['request'],
  make = randomPlan,
): MistakenClient {
  return (random) => {
    const plan = make(random);
    const whole = received(plan, rightSignature(plan), random);
    return { ...whole, request: change(whole.request, random) };
  };
}

function inHeader(random: Random): Plan {
  return randomPlan(random, { place: 'header' });
}
