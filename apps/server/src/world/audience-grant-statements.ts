/** Statements on the directory of shared audiences, where the accounts of an environment are in one store. */
import { and, eq } from 'drizzle-orm';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { accounts } from './account-table.ts';
import { audienceGrants } from './audience-grant-table.ts';

const { granted_account_id, custom_audience_id } = audienceGrants;

/** What is read of a grant. */
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

/** Joins the account of the owner. */
export const ofOwner = eq(accounts.id, audienceGrants.account_id);

/** The grants to an account that are in effect, by audience. */
export const listGrants = statement({ granted_account_id }, (args) =>
  query
    .select(selected)
    .from(audienceGrants)
    .innerJoin(accounts, ofOwner)
    .where(and(eq(granted_account_id, args.granted_account_id), inEffect))
    .orderBy(custom_audience_id),
);

/** The one of an audience that is in effect. */
export const findGrant = statement({ granted_account_id, custom_audience_id }, (args) =>
  query
    .select(selected)
    .from(audienceGrants)
    .innerJoin(accounts, ofOwner)
    .where(
      and(eq(granted_account_id, args.granted_account_id), eq(custom_audience_id, args.custom_audience_id), inEffect),
    )
    .limit(1),
);

/** One of an audience that is, or was, in effect. */
export const findAnyGrant = statement({ granted_account_id, custom_audience_id }, (args) =>
  query
    .select({ id: audienceGrants.id })
    .from(audienceGrants)
    .where(and(eq(granted_account_id, args.granted_account_id), eq(custom_audience_id, args.custom_audience_id)))
    .limit(1),
);

const { business_id } = accounts;

/** The business of an account that is not deleted. */
export const findRecipient = statement({ id: accounts.id }, (args) =>
  query
    .select({ business_id })
    .from(accounts)
    .where(and(eq(accounts.id, args.id), eq(accounts.deleted, false)))
    .limit(1),
);
