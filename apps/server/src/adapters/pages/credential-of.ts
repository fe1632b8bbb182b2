/** The credential in a request of a browser that belongs to one world. */
import { formPairs } from '@broadside/core/auth';
import type { FastifyRequest } from 'fastify';

const MAX_FIELDS = 50;

/**
 * Returns the request token that a page is about. Nothing of it is verified here. Cookies choose no world: a browser that is signed in to several
 * is in the one that the address names, and where it names none in the default one.
 */
export function credentialOf(request: FastifyRequest): string | undefined {
  const { query, body } = request;
  const asked = typeof query === 'object' && query !== null && 'oauth_token' in query ? query.oauth_token : undefined;
  if (typeof asked === 'string') return asked;
  const fields = typeof body === 'string' ? formPairs(body, MAX_FIELDS) : undefined;
  return Array.isArray(fields) ? fields.find(([name]) => name === 'oauth_token')?.[1] : undefined;
}
