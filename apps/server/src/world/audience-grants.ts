/** The directory of shared audiences, as the accounts that they are shared with read it. */
import type { PermissionLevel } from '@broadside/core/resources/custom-audiences';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Reader } from '../db/database.ts';
import { findAnyGrant, findGrant, findRecipient, listGrants } from './audience-grant-statements.ts';

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
