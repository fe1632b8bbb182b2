/** Explains rejected OAuth 1.0a signatures. Pure; for development and for offline use. */
export type { KnownFacts } from './circumstances.ts';
export type { AddressHeaders, NamedSecrets, SecretPair } from './evidence.ts';
export { type Difference, type ExplainInput, type Explanation, explainSignature, type Verdict } from './explain.ts';
export { type Finding, MISTAKES, type MistakeName } from './mistakes.ts';
