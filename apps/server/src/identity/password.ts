/** argon2id with the parameters that OWASP recommends first (19 MiB, 2 passes, 1 lane). Loaded on first use only. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * The hash of nobody's password, for people who cannot sign in. It is well formed, so that holding a password against it takes as
 * long as against any other.
 */
export const NO_PASSWORD = `$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IHNpZ25zIGluIQ$${'A'.repeat(43)}`;

/** The password's hash in PHC format. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hash(password.normalize('NFKC'), PARAMETERS);
}

/** No password is longer. Normalizing takes time with the square of some texts, so what cannot be one is not normalized. */
const LONGEST = 1000;

/** The hash for missing screen names, of no known password: a lookup must take as long. */
let nobody: Promise<string> | undefined;

/**
 * Returns whether a password matches a hash.
 * @param known `undefined` when there is no such person: the same work is done, and the result is false
 */
export async function verifyPassword(known: string | undefined, password: string): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  nobody ??= hashPassword('nobody has this password');
  // Awaited in any case: the first of all attempts would otherwise disclose whether the person exists.
  const stranger = await nobody;
  const right = await verify(known ?? stranger, password.length > LONGEST ? '' : password.normalize('NFKC'));
  return right && known !== undefined && password.length <= LONGEST;
}
