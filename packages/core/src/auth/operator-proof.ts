/**
 * Proof of the operator's token without sending it. The client proves first, so that a stranger gets nothing from a server that
 * could be tried against guesses; the server's answer proves that it has the token already. Both cover the address that the client
 * called, so that what another port passes on to the right server does not count there.
 */
import type { Hmac } from './authorization.ts';

/** Path of the proof, on each listener of a server whose operator's procedures are open. */
export const OPERATOR_PROOF_PATH = '/operator/proof';

/** The request that a proof is about. */
export interface OperatorProofSubject {
  /** Chosen by the client, new for each proof. */
  readonly nonce: string;
  /** The address that the client called, without a slash at its end. */
  readonly base_url: string;
}

/**
 * Computes the proof of one side.
 * @param side who proves; an answer is never the question again
 * @returns base64
 */
export async function operatorProof(
  side: 'client' | 'server',
  token: string,
  { nonce, base_url }: OperatorProofSubject,
  hmac: Hmac,
): Promise<string> {
  return hmac('sha256', token, ['broadside operator proof 1', side, nonce, base_url].join('\n'));
}
