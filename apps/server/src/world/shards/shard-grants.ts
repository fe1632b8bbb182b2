/** Shared audiences where the accounts of an environment are in several stores: a grant is in the store of the account that owns the audience. */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/query-builder.ts';
import { type ArgumentsIn, statement } from '../../db/statement.ts';
import { types } from '../../db/value-types.ts';
import { advertisingAccount } from '../account-directory.ts';
import type { OtherStores } from '../account-store.ts';
import { accounts } from '../account-table.ts';
import { findAnyGrant, findRecipient, inEffect, ofOwner, selected } from '../audience-grant-statements.ts';
import { audienceGrants } from '../audience-grant-table.ts';
import type { AudienceGrant, GrantLookup } from '../audience-grants.ts';
import { audienceLeaves } from '../audience-leaf-table.ts';
import { accountShards, sharingAccounts } from '../shard-table.ts';
import { DIRECTORY } from './places.ts';
import { RoutedDatabase } from './routed-database.ts';
import type { AccountStores } from './shards.ts';

const { granted_account_id, custom_audience_id } = audienceGrants;
const placed = { ...selected, closed: accountShards.closed };
const ofPlace = eq(accountShards.account_id, audienceGrants.account_id);

/** What an account has left behind in a store does not count. */
function isPlaced(shard: SQL): SQL {
  return sql`coalesce(${accountShards.shard}, '') = ${shard}`;
}

const parameters = { granted_account_id, shard: types.text };

function select(args: ArgumentsIn<typeof parameters>, further?: SQL) {
  return query
    .select(placed)
    .from(audienceGrants)
    .innerJoin(accounts, ofOwner)
    .leftJoin(accountShards, ofPlace)
    .where(and(eq(granted_account_id, args.granted_account_id), inEffect, isPlaced(args.shard), further))
    .orderBy(custom_audience_id);
}

const listGrants = statement(parameters, (args) => select(args));
const listGrantsOf = statement({ ...parameters, custom_audience_id }, (args) =>
  select(args, eq(custom_audience_id, args.custom_audience_id)),
);

const hints = sharingAccounts;
const place = sql<string>`coalesce(${accountShards.shard}, '')`.mapWith(types.text);

const listOwners = statement({ granted_account_id: hints.granted_account_id }, (args) =>
  query
    .selectDistinct({ shard: place })
    .from(hints)
    .leftJoin(accountShards, eq(accountShards.account_id, hints.owner_account_id))
    .where(eq(hints.granted_account_id, args.granted_account_id)),
);

const listGranted = statement({ owner_account_id: hints.owner_account_id }, (args) =>
  query
    .selectDistinct({ shard: place })
    .from(hints)
    .leftJoin(accountShards, eq(accountShards.account_id, hints.granted_account_id))
    .where(eq(hints.owner_account_id, args.owner_account_id)),
);

/** Says that audiences of one account may be shared with another. To be stored before the first grant. */
const addSharing = statement(
  { granted_account_id: hints.granted_account_id, owner_account_id: hints.owner_account_id },
  (row) => query.insert(sharingAccounts).values(row).onConflictDoNothing(),
);

const { account_id, custom_audience_id: id, leaf_id } = audienceLeaves;
const listOver = statement({ leaf_id, shard: types.text }, (args) =>
  query
    .select({ account_id, id })
    .from(audienceLeaves)
    .leftJoin(accountShards, eq(accountShards.account_id, account_id))
    .where(and(eq(leaf_id, args.leaf_id), isPlaced(args.shard))),
);

/** A store in which grants or flexible audiences may be. */
interface Source {
  readonly shard: string;
  readonly reader: Reader;
  /** It is the one that is written. */
  readonly isOwn: boolean;
}

/**
 * Returns the lookup of grants to an account.
 * @param reader of the account, or of a write
 * @param written the account whose store is written
 */
function grantsOver(shards: AccountStores, reader: Reader, granted: string, written: string): GrantLookup {
  const sources = async (): Promise<readonly Source[]> => {
    const own = 'writer' in reader ? (await shards.places.of(written)).shard : undefined;
    return sourcesAmong(shards, await listOwners.all(shards.directory, { granted_account_id: granted }), reader, own);
  };
  return {
    list: async () => {
      const found = await Promise.all(
        (await sources()).map(async (source) =>
          (await listGrants.all(source.reader, { granted_account_id: granted, shard: source.shard })).map(
            grantIn(source),
          ),
        ),
      );
      return once(found.flat()).toSorted((a, b) => (a.custom_audience_id < b.custom_audience_id ? -1 : 1));
    },
    find: async (audience) => {
      const found = await Promise.all(
        (await sources()).map(async (source) => {
          const args = { granted_account_id: granted, custom_audience_id: audience, shard: source.shard };
          return (await listGrantsOf.all(source.reader, args)).map(grantIn(source));
        }),
      );
      return found.flat()[0];
    },
    existed: async (audience) => {
      const args = { granted_account_id: granted, custom_audience_id: audience };
      const found = await Promise.all((await sources()).map(({ reader: one }) => findAnyGrant.first(one, args)));
      return found.some((row) => row !== undefined);
    },
    recipient: (account) => findRecipient.first(shards.directory, { id: account }),
  };
}

/** The way from accounts to others where they are spread over shards. */
export function otherStores(shards: AccountStores, accountOf: OtherStores['accountOf']): OtherStores {
  const { directory } = shards;
  return {
    grantsOver: (reader, account, written = account) => grantsOver(shards, reader, account, written),
    accountOf,
    readerOf: (account) => new RoutedDatabase(shards, account),
    announceSharing: async (owner, granted) => {
      // Nobody fills the directory with names of accounts that are none.
      if (!(await advertisingAccount.queries.get(directory, '', granted))) return;
      const row = { owner_account_id: owner, granted_account_id: granted };
      await directory.write((writer) => addSharing.run(writer, row));
    },
  };
}

/** Returns the flexible audiences that have an audience as a leaf, of its owner and of accounts that it may be shared with. */
export async function audiencesOver(shards: AccountStores, leaf: string, owner: string) {
  const { shard: own } = await shards.places.of(owner);
  const granted = await listGranted.all(shards.directory, { owner_account_id: owner });
  const sources = sourcesAmong(shards, [...granted, { shard: own }], shards.directory, undefined);
  const found = await Promise.all(
    sources.map(async ({ reader, shard }) => listOver.all(reader, { leaf_id: leaf, shard })),
  );
  return once(found.flat());
}

function sourcesAmong(
  shards: AccountStores,
  found: readonly { readonly shard: string }[],
  reader: Reader,
  own: string | undefined,
): readonly Source[] {
  const names = new Set([DIRECTORY, ...found.map(({ shard }) => shard)]);
  return [...names].map((shard) => {
    const isOwn = shard === own;
    return { shard, reader: isOwn ? reader : shards.database(shard), isOwn };
  });
}

function grantIn({ isOwn }: Source) {
  return ({
    closed,
    ...grant
  }: Omit<AudienceGrant, 'isHere'> & { readonly closed: boolean | null }): AudienceGrant => ({
    ...grant,
    isHere: isOwn && closed !== true,
  });
}

/** In the moment in which an account arrives elsewhere, both stores have it. */
function once<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
