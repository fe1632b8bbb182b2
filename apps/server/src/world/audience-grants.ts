/** The directory of shared audiences, as the accounts that they are shared with read it. */
import type { PermissionLevel } from '@broadside/core/resources/custom-audiences';
import { and, eq } from 'drizzle-orm';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Reader } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { accounts } from './account-table.ts';
import { audienceGrants } from './audience-grant-table.ts';

/** A grant in effect: the granted account may use an audience of its owner. */
export interface AudienceGrant {
  readonly id: string;
  readonly owner_account_id: string;
  readonly custom_audience_id: string;
  readonly granted_account_id: string;
  readonly permission_level: PermissionLevel;
  /** Whether the owner is in the store that is written; undefined where all accounts are in one. */
  readonly isHere?: boolean;
}

/** Looks up grants to one account. */
export interface GrantLookup {
  /** Those in effect, by audience. */
  list(): Awaitable<AudienceGrant[]>;
  /** The one of an audience that is in effect. */
  find(audience_id: string): Awaitable<AudienceGrant | undefined>;
  /** Returns whether there was one of an audience at any time. */
  existed(audience_id: string): Awaitable<boolean>;
  /** An account that is not deleted. */
  recipient(account_id: string): Awaitable<{ readonly business_id: string | null } | undefined>;
}

const { granted_account_id, custom_audience_id } = audienceGrants;

export const selected = {
  id: audienceGrants.id,
  owner_account_id: audienceGrants.account_id,
  custom_audience_id,
  granted_account_id,
  permission_level: audienceGrants.permission_level,
};

/** A grant ends when it is revoked, with its audience, and with the account of its owner (our choice). */
export const inEffect = and(
  eq(audienceGrants.deleted, false),
  eq(audienceGrants.parent_deleted, false),
  eq(accounts.deleted, false),
);

export const ofOwner = eq(accounts.id, audienceGrants.account_id);

const listGrants = statement({ granted_account_id }, (args) =>
  query
    .select(selected)
    .from(audienceGrants)
    .innerJoin(accounts, ofOwner)
    .where(and(eq(granted_account_id, args.granted_account_id), inEffect))
    .orderBy(custom_audience_id),
);

const findGrant = statement({ granted_account_id, custom_audience_id }, (args) =>
  query
    .select(selected)
    .from(audienceGrants)
    .innerJoin(accounts, ofOwner)
    .where(
      and(eq(granted_account_id, args.granted_account_id), eq(custom_audience_id, args.custom_audience_id), inEffect),
    )
    .limit(1),
);

const findAnyGrant = statement({ granted_account_id, custom_audience_id }, (args) =>
  query
    .select({ id: audienceGrants.id })
    .from(audienceGrants)
    .where(and(eq(granted_account_id, args.granted_account_id), eq(custom_audience_id, args.custom_audience_id)))
    .limit(1),
);

const { business_id } = accounts;

export const findRecipient = statement({ id: accounts.id }, (args) =>
  query
    .select({ business_id })
    .from(accounts)
    .where(and(eq(accounts.id, args.id), eq(accounts.deleted, false)))
    .limit(1),
);

/** Looks up grants in the one store of all accounts. */
export function grantsIn(reader: Reader, granted: string): GrantLookup {
  const of = (audience_id: string) => ({ granted_account_id: granted, custom_audience_id: audience_id });
  return {
    list: () => listGrants.all(reader, { granted_account_id: granted }),
    find: (audience_id) => findGrant.first(reader, of(audience_id)),
    existed: (audience_id) => chain(findAnyGrant.first(reader, of(audience_id)), (row) => row !== undefined),
    recipient: (id) => findRecipient.first(reader, { id }),
  };
}

/** The audiences that accounts share, as one account sees them. `Owner` is the reader of an account that owns a shared audience. */
export class SharedAudiences<Owner> {
  readonly #grants: GrantLookup;
  readonly #account_id: string;
  readonly #open: (account_id: string) => Owner;

  /** @param open makes the reader of another account over the same connection or transaction */
  constructor(grants: GrantLookup, account_id: string, open: (account_id: string) => Owner) {
    this.#grants = grants;
    this.#account_id = account_id;
    this.#open = open;
  }

  /** The grants to the account that are in effect, by audience. */
  grants(): Awaitable<AudienceGrant[]> {
    return this.#grants.list();
  }

  /** The grant of one audience to the account; `undefined` when none is in effect. */
  grantOf(audience_id: string): Awaitable<AudienceGrant | undefined> {
    return this.#grants.find(audience_id);
  }

  /** Returns whether an audience was shared with the account at any time, now included. */
  async wasGranted(audience_id: string): Promise<boolean> {
    return this.#grants.existed(audience_id);
  }

  /** The business of an account that an audience would be shared with; `undefined` when there is no such account. */
  recipient(account_id: string): Awaitable<{ readonly business_id: string | null } | undefined> {
    return this.#grants.recipient(account_id);
  }

  /**
   * Reads of the account that owns a shared audience. Only a grant leads to another account.
   * @throws TypeError when the grant is to another account
   */
  ownerOf({ owner_account_id, granted_account_id: granted }: AudienceGrant): Owner {
    if (granted === this.#account_id) return this.#open(owner_account_id);
    throw new TypeError(`the grant is to ${granted}, not to ${this.#account_id}`);
  }
}
