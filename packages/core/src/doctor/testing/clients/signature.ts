/** Clients with mistakes in the key and in the signature. */
import type { SIGNATURE_TEXTS } from '../../texts/signature.ts';
import { digestOf, enc, hex, type Plan, randomPlan, rightKey } from '../client.ts';
import { ALNUM, type MistakenClient, signed } from '../mistaken-client.ts';
import type { Random } from '../random.ts';

export const SIGNATURE_CLIENTS: Readonly<Record<keyof typeof SIGNATURE_TEXTS, MistakenClient>> = {
  secrets_swapped: byKey(({ secrets }) => `${enc(secrets.token)}&${enc(secrets.consumer)}`),
  token_secret_left_out: byKey(
    ({ secrets }, random) => `${enc(secrets.consumer)}&${random.pick(['', 'undefined', 'null'])}`,
  ),
  consumer_secret_left_out: byKey(
    ({ secrets }, random) => `${random.pick(['', 'undefined', 'None'])}&${enc(secrets.token)}`,
  ),
  ampersand_missing: (random) => {
    const plan = randomPlan(random);
    const { consumer, token } = plan.secrets;
    const alone = token === undefined || random.chance(30);
    return signed(plan, random, { key: alone ? enc(consumer) : enc(consumer) + enc(token) });
  },
  secrets_not_encoded: (random) => {
    const plan = withOddSecrets(random);
    return signed(plan, random, { key: `${plan.secrets.consumer}&${plan.secrets.token ?? ''}` });
  },
  secrets_encoded_twice: (random) => {
    const plan = withOddSecrets(random);
    return signed(plan, random, { key: `${enc(enc(plan.secrets.consumer))}&${enc(enc(plan.secrets.token ?? ''))}` });
  },
  space_around_secret: byKey(({ secrets }, random) => {
    const more = random.pick(['\n', '\r\n', ' ', '\t', '"']);
    const around = more === '"' ? (text: string) => more + text + more : (text: string) => text + more;
    return random.pick([
      `${enc(around(secrets.consumer))}&${enc(secrets.token)}`,
      `${enc(secrets.consumer)}&${enc(around(secrets.token))}`,
      `${enc(around(secrets.consumer))}&${enc(around(secrets.token))}`,
    ]);
  }),
  key_used_as_secret: byKey(({ secrets, protocol }, random) => {
    const value = (wanted: string) => protocol.find(([name]) => name === wanted)?.[1] ?? '';
    return random.pick([
      `${enc(value('oauth_consumer_key'))}&${enc(secrets.token)}`,
      `${enc(secrets.consumer)}&${enc(value('oauth_token'))}`,
      `${enc(value('oauth_consumer_key'))}&${enc(value('oauth_token'))}`,
    ]);
  }),
  wrong_consumer_secret: (random) => {
    const plan = randomPlan(random);
    const others = otherSecrets(random);
    const { consumer } = random.pick(others);
    return signed(plan, random, {
      key: `${enc(consumer)}&${enc(plan.secrets.token ?? '')}`,
      known: { otherSecrets: others },
    });
  },
  wrong_token_secret: (random) => {
    const plan = randomPlan(random);
    const others = otherSecrets(random);
    const { token } = random.pick(others);
    return signed(plan, random, {
      key: `${enc(plan.secrets.consumer)}&${enc(token)}`,
      known: { otherSecrets: others },
    });
  },
  wrong_digest: (random) => {
    const plan = randomPlan(random);
    return signed(plan, random, { digest: digestOf(plan) === 'sha1' ? 'sha256' : 'sha1' });
  },
  plaintext_signature: (random) => {
    const plan = randomPlan(random);
    const { consumer, token = '' } = plan.secrets;
    return signed(plan, random, { encode: () => random.pick([rightKey(plan), `${consumer}&${token}`, consumer]) });
  },
  signature_as_hex: byForm((signature, random) => {
    const digits = Array.from(atob(signature), (byte) => hex(byte.charCodeAt(0)).slice(1)).join('');
    return random.chance(50) ? digits.toLowerCase() : random.chance(50) ? digits : btoa(digits.toLowerCase());
  }),
  signature_as_base64url: byForm((signature, random) => {
    const url = signature.replaceAll('+', '-').replaceAll('/', '_');
    return url === signature ? signature : random.chance(50) ? url : url.replace('=', '');
  }),
  signature_without_padding: byForm((signature) => signature.replace('=', '')),
  signature_encoded_twice: byForm((signature) => enc(signature)),
  signature_plus_as_space: byForm((signature) => signature.replaceAll('+', ' ')),
  signature_with_line_break: byForm((signature, random) => signature + random.pick(['\n', '\r\n', ' '])),
  signature_malformed: byForm((signature, random) =>
    random.pick([
      () => signature.slice(0, 8 + random.below(12)),
      () => `${signature}${signature}`,
      () => `?${signature}`,
    ])(),
  ),
};

function byKey(make: (plan: Plan & { secrets: { token: string } }, random: Random) => string): MistakenClient {
  return (random) => {
    const plan = randomPlan(random);
    const { consumer, token } = plan.secrets;
    if (token === undefined) return undefined;
    return signed(plan, random, { key: make({ ...plan, secrets: { consumer, token } }, random) });
  };
}

function byForm(encode: (signature: string, random: Random) => string): MistakenClient {
  return (random) => signed(randomPlan(random), random, { encode: (signature) => encode(signature, random) });
}

function withOddSecrets(random: Random): Plan {
  const odd = () =>
    `${random.text(ALNUM, 5, 20)}${random.pick(['+', '/', '=', '%', ' ', '!'])}${random.text(ALNUM, 5, 20)}`;
  const plan = randomPlan(random);
  return { ...plan, secrets: { consumer: odd(), token: plan.secrets.token === undefined ? undefined : odd() } };
}

function otherSecrets(random: Random): { name: string; consumer: string; token: string }[] {
  return ['app Two', 'app Three', 'app Four'].map((name) => ({
    name,
    consumer: random.text(ALNUM, 40, 50),
    token: random.text(ALNUM, 40, 45),
  }));
}
