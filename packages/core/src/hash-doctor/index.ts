/** Names the mistakes with which identifiers were hashed. Pure; for development and for offline use. */
export { type ReadDigest, readDigest } from './digest-form.ts';
export type { Digest, DigestAlgorithm } from './digests.ts';
export { type ExplainHashInput, explainHash, type HashExplanation, type HashFinding } from './explain-hash.ts';
export { type HashedKind, hashedKinds } from './hashed-kinds.ts';
export { HASHING_MISTAKES, type HashingMistake, type HashingMistakeName, hashingMistakes } from './mistakes.ts';
export { hashesOfNobody, type KnownIdentifier, rightHash, type WrongHash, wrongHashes } from './wrong-hashes.ts';
