/** Libraries that have been started, as far as this machine has them. */
import type { TestContext } from 'vitest';
import { type Installable, MissingError, type Signer } from './client.ts';

/**
 * Returns whether a missing library is a failure. It is in CI; `BROADSIDE_ORACLES=optional` makes it a skipped test there too, as
 * everywhere else.
 */
export const required = Boolean(process.env['CI']) && process.env['BROADSIDE_ORACLES'] !== 'optional';

export class Started<Client extends Signer> {
  readonly #clients: ReadonlyMap<string, Client | MissingError>;

  private constructor(clients: ReadonlyMap<string, Client | MissingError>) {
    this.#clients = clients;
  }

  /** Starts libraries side by side. */
  static async all<Client extends Signer>(libraries: readonly Installable<Client>[]): Promise<Started<Client>> {
    const starting = libraries.map(
      async ({ name, start }) => [name, await start().catch(asMissing)] satisfies [string, Client | MissingError],
    );
    return new Started(new Map(await Promise.all(starting)));
  }

  /** Those that are not on this machine, with what to install. */
  get missing(): string[] {
    return [...this.#clients.values()].flatMap((client) => (client instanceof MissingError ? [client.message] : []));
  }

  /** A library for a test, which is skipped without it. */
  get(name: string, context: TestContext): Client {
    const client = this.#clients.get(name);
    if (client === undefined) throw new TypeError(`${name} was not started`);
    return client instanceof MissingError ? context.skip(client.message) : client;
  }

  close(): void {
    for (const client of this.#clients.values()) if (!(client instanceof MissingError)) client.close();
  }
}

function asMissing(error: unknown): MissingError {
  if (error instanceof MissingError) return error;
  throw error;
}
