/** OAuth 1.0a primitives (RFC 5849), shared by server and client. Pure: no clock, randomness or I/O. */
export {
  authorizationHeader,
  type Hmac,
  type RequestSignature,
  type SigningCredentials,
  type SignRequestInput,
  signRequest,
} from './authorization.ts';
export {
  baseStringUri,
  canonicalBase,
  normalizeParameters,
  receivedBaseString,
  signatureBaseString,
  signingKey,
} from './base-string.ts';
export { type Covered, coveredPairs, coveredParameters } from './covered.ts';
export { formPairsInSteps, receivedBaseInSteps } from './in-steps.ts';
export { OPERATOR_PROOF_PATH, type OperatorProofSubject, operatorProof } from './operator-proof.ts';
export {
  isFormType,
  isSigned,
  type ParsedRequest,
  parseRequest,
  type ReceivedRequest,
  type SignedRequest,
} from './parse.ts';
export { formDecode, formEncode, formPairs, type Pair, percentDecode, percentEncode } from './percent.ts';
export { type CredentialSource, PARSE_LIMITS, type ParseLimits } from './places.ts';
export type { OAuthParameters } from './protocol-parameters.ts';
export {
  type AuthProblem,
  type AuthProblemCode,
  authProblem,
  checkNonce,
  checkTimestamp,
  checkVersion,
  DIGESTS,
  type DigestName,
  isSignatureMethod,
  MAX_NONCE_LENGTH,
  PROBLEM_STATUS,
  readTimestamp,
  SIGNATURE_METHODS,
  type SignatureMethod,
  TIMESTAMP_WINDOW_SECONDS,
} from './rules.ts';
export { webCryptoHmac } from './web-crypto-hmac.ts';
