/** Proves to a client of the operator that this server has the operator's token, before the client sends it. See ADR 0021. */
import { createHmac } from 'node:crypto';
import { type Hmac, OPERATOR_PROOF_PATH, operatorProof } from '@broadside/core/auth';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { equalSecrets } from '../world/secrets.ts';
import { namedBaseUrl, type Scheme } from './own-host.ts';

interface ProofOptions {
  /** Without one the route does not exist, like the operator's procedures. */
  readonly operatorToken: string | undefined;
  /** The configured base URL of the listener. */
  readonly baseUrl: string | undefined;
  /** The setting of the base URL. */
  readonly setting: string;
  /** What the listener speaks. */
  readonly scheme?: Scheme | undefined;
  /** Returns whether a request names a host of the listener itself. */
  readonly isOwn: (request: FastifyRequest) => boolean;
}

const hmac: Hmac = (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64');

/** Lengths beyond which a member cannot be what it should. */
const LONGEST = 2000;

/** Adds the route. */
export function registerOperatorProof(
  app: FastifyInstance,
  { operatorToken, baseUrl, setting, scheme, isOwn }: ProofOptions,
): void {
  if (operatorToken === undefined) return;
  app.get(OPERATOR_PROOF_PATH, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { nonce, base_url, proof } = membersOf(request.query);
    if (nonce.length < 16 || base_url === '' || proof === '') {
      return reply
        .code(400)
        .send({ message: 'A proof has nonce (16 characters or more), base_url and proof in the query' });
    }
    const subject = { nonce, base_url };
    // A stranger, or a client with the token of another platform.
    if (!equalSecrets(proof, await operatorProof('client', operatorToken, subject, hmac))) {
      return reply.code(401).send({ message: 'This platform has another operator token' });
    }
    // Otherwise whoever listens elsewhere could have this server answer what it was asked.
    if (base_url !== baseUrl && !(base_url === namedBaseUrl(request, scheme) && isOwn(request))) {
      const message = `This server is not known under the address that was called; ${setting} names it`;
      return reply.code(421).send({ message });
    }
    return reply.send({ proof: await operatorProof('server', operatorToken, subject, hmac) });
  });
}

function membersOf(query: unknown): Record<'nonce' | 'base_url' | 'proof', string> {
  const given: Readonly<Record<string, unknown>> = typeof query === 'object' && query !== null ? { ...query } : {};
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' && value.length <= LONGEST ? value : '';
  };
  return { nonce: text('nonce'), base_url: text('base_url'), proof: text('proof') };
}
