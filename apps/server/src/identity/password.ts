/** argon2id with the parameters that OWASP recommends first (19 MiB, 2 passes, 1 lane). Loaded on first use only. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The password's hash in PHC format. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hash(password.normalize('NFKC'), PARAMETERS);
}
