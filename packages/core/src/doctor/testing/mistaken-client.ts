/**
 * Parts of clients that make a mistake in random requests, independent of the code under test. A client returns
 * `undefined` for a request in which its mistake makes no difference, or has the same effect as another one.
 */
import type { ExplainInput } from '../explain.ts';
import {
  addressOf,
  baseString,
  digestOf,
  type Encoded,
  enc,
  NOW,
  originOf,
  type Parameter,
  type Plan,
  parametersOf,
  randomPairs,
  randomPlan,
  rightKey,
  rightText,
  send,
} from './client.ts';
import { nodeHmac } from './node-hmac.ts';
import type { Random } from './random.ts';

/** A generated request with the whole input of the doctor. */
export type Case = Omit<ExplainInput, 'hmac'>;

export type MistakenClient = (random: Random) => Case | undefined;

export interface Signing {
  readonly text?: string;
  readonly key?: string;
  readonly digest?: 'sha1' | 'sha256';
  readonly encode?: (signature: string) => string;
  /** Further input of the doctor. */
  readonly known?: Partial<Case>;
}

export const ALNUM = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export const LOWER = 'abcdefghijklmnopqrstuvwxyz';

/** Returns the request as a server receives it. */
export function received(plan: Plan, signature: string, random: Random): Case {
  const { host = plan.port === '' ? plan.host : `${plan.host}:${plan.port}` } = plan.headers;
  return {
    request: send(plan, signature, random),
    base: originOf(plan) + plan.prefix,
    otherBases: plan.otherBases,
    headers: { ...plan.headers, host },
    secrets: plan.secrets,
    nowSeconds: NOW,
  };
}

export function signed(plan: Plan, random: Random, how: Signing): Case | undefined {
  const { text = rightText(plan), key = rightKey(plan), digest = digestOf(plan), encode, known } = how;
  const changesNothing = text === rightText(plan) && key === rightKey(plan) && digest === digestOf(plan);
  const signature = nodeHmac(digest, key, text);
  const sent = encode?.(signature) ?? signature;
  if (changesNothing && sent === signature && known === undefined) return undefined;
  return { ...received(plan, sent, random), ...known };
}

/** A client that assembles the parameters in its own way. */
export function byParameters(
  make: (random: Random) => Plan,
  write: (plan: Plan, random: Random) => string,
): MistakenClient {
  return (random) => {
    const plan = make(random);
    return signed(plan, random, { text: baseString(plan.method, addressOf(plan), write(plan, random)) });
  };
}

export function withQuery(random: Random): Plan {
  return randomPlan(random, { query: [['count', String(random.below(100))], ...randomPairs(random, 0, 3)] });
}

export function encodedPairs(plan: Plan): { pair: Encoded; from: Parameter }[] {
  return parametersOf(plan).map((from) => ({ pair: [enc(from.name), enc(from.value)], from }));
}
