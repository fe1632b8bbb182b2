/** Asks a server to prove that it has the operator's token, before the token is sent to it. See ADR 0021. */
import { createHmac, randomBytes } from 'node:crypto';
import { type Hmac, OPERATOR_PROOF_PATH, operatorProof } from '@broadside/core/auth';
import type { FoundToken } from '../credentials.ts';
import { CliError, messageOf } from '../errors.ts';
import type { Io } from '../io.ts';
import { networkHints } from '../report.ts';
import { printable } from '../text.ts';
import type { FoundAddress } from './address.ts';

const hmac: Hmac = (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64');

/** A server that is there answers at once. */
const PATIENCE_MS = 10_000;

/**
 * Returns when the server has proved itself.
 * @throws CliError when nothing answers, or when what answers is not the platform of the token
 */
export async function demandProof(
  io: Pick<Io, 'fetch'>,
  { baseUrl, because }: FoundAddress,
  { token, because: tokenFrom }: FoundToken,
): Promise<void> {
  const subject = { nonce: randomBytes(24).toString('base64url'), base_url: baseUrl };
  const query = new URLSearchParams({ ...subject, proof: await operatorProof('client', token, subject, hmac) });
  const { status, body } = await ask(io, `${baseUrl}${OPERATOR_PROOF_PATH}?${query}`, baseUrl);
  const said = typeof body['message'] === 'string' ? [printable(body['message'])] : [];
  const sources = [`The address is from ${because}, the token from ${tokenFrom}.`];
  if (status === 401)
    throw new CliError(
      'unauthenticated',
      `The platform at ${baseUrl} has another operator token; yours was not sent`,
      sources,
    );
  if (status === 421) throw new CliError('unreachable', `The operator token was not sent to ${baseUrl}`, said);
  if (body['proof'] === (await operatorProof('server', token, subject, hmac))) return;
  throw new CliError(
    'unreachable',
    `What answers at ${baseUrl} did not prove that it is the platform of this operator token, so the token was not sent`,
    [
      ...sources,
      'Is another server on this port? Or does it run without the operator: with BROADSIDE_DEMO=0 and no BROADSIDE_OPERATOR_TOKEN?',
    ],
  );
}

async function ask(
  io: Pick<Io, 'fetch'>,
  url: string,
  baseUrl: string,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  let response: Response;
  let text: string;
  try {
    response = await io.fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    text = await response.text();
  } catch (error) {
    throw new CliError(
      'unreachable',
      `The operator's procedures got no answer from ${baseUrl}: ${innermost(error)}`,
      networkHints(false, 'GET'),
      error,
    );
  }
  try {
    const body: unknown = JSON.parse(text);
    return { status: response.status, body: typeof body === 'object' && body !== null ? { ...body } : {} };
  } catch {
    return { status: response.status, body: {} };
  }
}

function innermost(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : messageOf(error);
}
