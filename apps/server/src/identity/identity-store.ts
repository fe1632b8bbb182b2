/** People, client applications and their access tokens, as a world holds them. */
import type { Database } from '../db/database.ts';
import type { Clock } from '../world/clock.ts';
import type { Snowflakes } from '../world/ids.ts';
import type { Random } from '../world/random.ts';
import type { SecretBox } from '../world/secrets.ts';
import { AccessTokenStore } from './access-tokens.ts';
import { AppStore } from './app-store.ts';
import type { BearerTokens } from './bearer-tokens.ts';
import { IdentityWrites } from './identity-writes.ts';
import { SigningIdentities } from './signing-identities.ts';
import { UserStore } from './user-store.ts';

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** For keys and secrets. */
  readonly random: Random;
  /** Consumer keys begin with it; nothing by default. */
  readonly prefix?: string | undefined;
  readonly ids: Snowflakes;
  readonly secrets: SecretBox;
  readonly bearers: BearerTokens;
  /** Keep what requests sign with in memory. Only where this process is the only one that writes the store. */
  readonly cache: boolean;
}

export class IdentityStore {
  readonly users: UserStore;
  readonly apps: AppStore;
  readonly tokens: AccessTokenStore;
  /** Lookups for verifying signatures. */
  readonly signing: SigningIdentities;

  constructor(services: Services) {
    const signing = new SigningIdentities(services);
    const writes = new IdentityWrites(services.database, services.clock, () => signing.forget());
    this.signing = signing;
    this.users = new UserStore({ ...services, writes });
    this.apps = new AppStore({ ...services, writes });
    this.tokens = new AccessTokenStore({ ...services, writes });
  }
}
