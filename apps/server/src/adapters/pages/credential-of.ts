/** The credential in a request of a browser that belongs to one world. */
import { formPairs } from '@broadside/core/auth';
import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

const MAX_FIELDS = 50;

/** Returns the request token that a page is about, or the session. Nothing of it is verified here. */
export function credentialOf(request: FastifyRequest): string | undefined {
  const { query, body } = request;
  const asked = typeof query === 'object' && query !== null && 'oauth_token' in query ? query.oauth_token : undefined;
  if (typeof asked === 'string') return asked;
  const fields = typeof body === 'string' ? formPairs(body, MAX_FIELDS) : undefined;
  const sent = Array.isArray(fields) ? fields.find(([name]) => name === 'oauth_token') : undefined;
  if (sent) return sent[1];
  const cookies = parseCookie(request.headers.cookie ?? '');
  const named = (name: string) => cookies[`__Host-broadside_${name}`] ?? cookies[`broadside_${name}`];
  // A visitor's cookie says in which world they were about to sign in.
  return named('session') ?? named('visitor');
}
