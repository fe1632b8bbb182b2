/** What all servers of a platform have to agree on, in its store. Who writes a fact or a secret first decides it. */
import { and, eq, gte, lt } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { findPlatformSecret, offerPlatformSecret } from '../identity/platform-key.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import type { SecretBox } from '../world/secrets.ts';
import { platformFacts } from './platform-table.ts';

const { name, value } = platformFacts;

const findFact = statement({ name }, (args) =>
  query.select({ value }).from(platformFacts).where(eq(name, args.name)).limit(1),
);
const findLike = statement({ from: name, to: name }, ({ from, to }) =>
  query
    .select({ name })
    .from(platformFacts)
    .where(and(gte(name, from), lt(name, to)))
    .limit(1),
);
const offerFact = statement({ name, value }, (fact) => query.insert(platformFacts).values(fact).onConflictDoNothing());
/** Decides a fact, whatever was decided. */
export const putFact = statement({ name, value }, (fact) =>
  query
    .insert(platformFacts)
    .values(fact)
    .onConflictDoUpdate({ target: name, set: { value: fact.value } }),
);

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

export class PlatformFacts {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Finds a fact. */
  async find(fact: string): Promise<string | undefined> {
    return (await findFact.first(this.#services.database, { name: fact }))?.value;
  }

  /** Returns whether there is a fact whose name begins with a word, a space and more. */
  async hasOf(word: string): Promise<boolean> {
    return (await findLike.first(this.#services.database, { from: `${word} `, to: `${word}!` })) !== undefined;
  }

  /** Decides a fact, unless it is decided. @returns what holds */
  async agree(fact: string, own: string): Promise<string> {
    const known = await this.find(fact);
    if (known !== undefined) return known;
    return this.#services.database.write(async (writer) => {
      await offerFact.run(writer, { name: fact, value: own });
      return (await findFact.first(writer, { name: fact }))?.value ?? own;
    });
  }

  /** Decides a fact anew. */
  async put(fact: string, own: string): Promise<void> {
    await this.#services.database.write((writer) => putFact.run(writer, { name: fact, value: own }));
  }

  /** Finds a secret. @throws UnknownKeyError when it was sealed under another key */
  async findSecret(secret: string): Promise<string | undefined> {
    return findPlatformSecret(secret, this.#services);
  }

  /** Decides a secret, unless it is decided. @returns what holds */
  async agreeOnSecret(secret: string, own: string): Promise<string> {
    const known = await this.findSecret(secret);
    return known ?? offerPlatformSecret(secret, own, timestamp(this.#services.clock), this.#services);
  }
}
