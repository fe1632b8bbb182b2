import {
  coveredParameters,
  formPairsInSteps,
  isFormType,
  PARSE_LIMITS,
  type ParsedRequest,
  parseRequest,
  type ReceivedRequest,
  receivedBaseInSteps,
  type SignedRequest,
} from '@broadside/core/auth';
import { inTurns } from '../pace.ts';
import type { SigningKey } from './signing-key.ts';
import { signatureCheck } from './verify-signature.ts';

/** Characters of a body from which on it is parsed and verified in steps. */
const LARGE = 100_000;

/** Returns whether a body is a form that is handled in steps, so that others have their turn. */
export function isLargeForm({ contentType, body }: ReceivedRequest): boolean {
  return body !== undefined && body.length > LARGE && isFormType(contentType);
}

/** Splits a request as `parseRequest` does, a large form in steps. */
export async function parseLargeRequest(request: ReceivedRequest): Promise<ParsedRequest> {
  const { body } = request;
  if (body === undefined || !isLargeForm(request)) return parseRequest(request);
  return parseRequest({ ...request, form: { pairs: await inTurns(formPairsInSteps(body, PARSE_LIMITS.parameters)) } });
}

/** Verifies a signature as `verifySignature` does, in steps. */
export async function verifyLargeSignature(
  request: SignedRequest,
  base: string,
  key: SigningKey | undefined,
): Promise<boolean> {
  const check = signatureCheck(request, base, key);
  await inTurns(
    receivedBaseInSteps(request.method, check.encodedBase, request.path, coveredParameters(request.covered)),
    check.update,
  );
  return check.matches();
}
