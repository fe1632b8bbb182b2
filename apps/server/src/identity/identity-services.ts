/** Makes what knows who somebody is: people, apps and their credentials. */
import type { Database } from '../db/database.ts';
import type { Clock, WallClock } from '../world/clock.ts';
import type { Snowflakes } from '../world/ids.ts';
import type { Random } from '../world/random.ts';
import type { SecretBox } from '../world/secrets.ts';
import { BearerTokens } from './bearer-tokens.ts';
import { IdentityStore } from './identity-store.ts';
import { RequestTokens } from './request-tokens.ts';
import { Sessions } from './sessions.ts';

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** The source of credentials, */
  readonly random: Random;
  /** and what they begin with. */
  readonly prefix: string;
  readonly ids: Snowflakes;
  readonly secrets: SecretBox;
  /** The platform's key. */
  readonly key: string;
  /** Keep answers in memory. Only where this process learns of all writes of the store. */
  readonly cache: boolean;
}

export interface IdentityServices {
  readonly identity: IdentityStore;
  readonly bearerTokens: BearerTokens;
  readonly requestTokens: RequestTokens;
  readonly sessions: Sessions;
}

/** Makes them for a world. */
export function identityServices(services: Services): IdentityServices {
  const bearerTokens = new BearerTokens(services);
  const identity = new IdentityStore({ ...services, bearers: bearerTokens });
  return {
    identity,
    bearerTokens,
    requestTokens: new RequestTokens({
      ...services,
      issue: (writer, grant) => identity.tokens.grant(writer, grant),
    }),
    sessions: new Sessions(services),
  };
}
