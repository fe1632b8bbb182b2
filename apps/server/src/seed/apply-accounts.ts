/** Makes the accounts of a seed file. One that was made from the same description is kept. */
import { createHash } from 'node:crypto';
import { ApiError, BatchError, readParams, rejectWithAny, stringifyJson } from '@broadside/core';
import { initialSandboxFeatures } from '@broadside/core/resources/features';
import type { Actor } from '../db/change-log.ts';
import { handlerOf } from '../families.ts';
import type { Breathe } from '../members/worker/breathe.ts';
import type { AdsStore } from '../world/ads-store.ts';
import type { World } from '../world/world.ts';
import { type FileAccount, type FileItem, inFile, inOrder, itemsOf, withReferences } from './file-accounts.ts';
import type { FileIssue } from './file-issue.ts';

/** An account that was made or found. */
export interface AppliedAccount {
  readonly made: boolean;
  readonly id: string;
  /** Ids of what it has, by local names. */
  readonly ids: Readonly<Record<string, string>>;
}

/** Ids of users by lower-case screen name, and of posts by local name. */
export interface KnownNames {
  readonly userId: (screen_name: string) => string;
  readonly outside: ReadonlyMap<string, string>;
  readonly breathe: Breathe;
}

/** A rejection, at its place in the file. */
export class AccountRejectedError extends Error {
  override readonly name = 'AccountRejectedError';
  readonly issues: readonly FileIssue[];

  constructor(issues: readonly FileIssue[]) {
    super('an account of the file was rejected');
    this.issues = issues;
  }
}

const ACTOR: Actor = { user_id: null, platform: 'OPERATOR' };

/**
 * Makes an account, unless it is there.
 * @param world inside the write of the file
 * @throws AccountRejectedError
 */
export async function applyAccount(
  world: World,
  account: FileAccount,
  index: number,
  names: KnownNames,
): Promise<AppliedAccount> {
  const { seeds } = world;
  const ads = world.ads[account.environment];
  const id = `account ${account.environment} ${account.name}`;
  const digest = createHash('sha256').update(stringifyJson(account)).digest('hex');
  const known = await seeds.find(id);
  const held = known && (await accountOf(ads, known['account_id']));
  if (known?.finished && held) {
    const message = `the account "${account.name}" was made from another description, which cannot be changed here; give this one another name, or delete that`;
    if (known['digest'] !== digest) throw new AccountRejectedError([{ path: ['accounts', index], message }]);
    return { made: false, id: held, ids: textsOf(known['ids']) };
  }
  // A run of an earlier version was cut off.
  if (held) await ads.updateAccount(ACTOR, held, () => ({ deleted: true }));
  const made = await ads.createAccount(ACTOR, {
    name: account.name,
    business_name: account.business_name ?? null,
    timezone: account.timezone,
    user_id: names.userId(account.owner),
    features: [...new Set([...(account.environment === 'sandbox' ? initialSandboxFeatures : []), ...account.features])],
  });
  for (const { user, permissions } of account.access) await ads.grant(ACTOR, made.id, names.userId(user), permissions);
  const ids = await createAll(world, account, index, { id: made.id, names });
  const record = { id, finished: true, account_id: made.id, digest, ids };
  await seeds.write((writer) => (known ? seeds.update(writer, record) : seeds.record(writer, record)));
  return { made: true, id: made.id, ids };
}

async function accountOf(ads: AdsStore, id: unknown): Promise<string | undefined> {
  const record = typeof id === 'string' ? await ads.record(id) : undefined;
  return record && !record.deleted ? record.id : undefined;
}

/**
 * Creates what the account has, what others refer to first. All items are tried, but for those that refer to one that was rejected.
 * @throws AccountRejectedError with the issues of all
 */
async function createAll(
  world: World,
  account: FileAccount,
  index: number,
  { id, names }: { readonly id: string; readonly names: KnownNames },
): Promise<Record<string, string>> {
  const made = new Map<string, Readonly<Record<string, unknown>>>();
  const ids: Record<string, string> = {};
  const issues: FileIssue[] = [];
  const { items } = inOrder(itemsOf(account, ['accounts', index]).items);
  for (const item of items) {
    if (!item.needs.every((key) => made.has(key) || names.outside.has(key))) continue;
    const params = withReferences(item.params, (key, member, parameter) => {
      const entity = made.get(key);
      if (!entity) return names.outside.get(key);
      // A card is shown by its address; everything else is known by its id.
      return entity[member ?? (parameter in entity && parameter.endsWith('_uri') ? parameter : 'id')];
    });
    try {
      const entity = await create(world, account, item, {
        ...(typeof params === 'object' ? params : {}),
        account_id: id,
      });
      if (item.key !== undefined) {
        made.set(item.key, entity);
        ids[item.key] = String(entity['id']);
      }
    } catch (error) {
      if (!(error instanceof AccountRejectedError)) throw error;
      issues.push(...error.issues);
    }
    await names.breathe();
  }
  if (issues.length > 0) throw new AccountRejectedError(issues);
  return ids;
}

/** Runs the operation of an item for the operator. */
async function create(
  world: World,
  { environment }: FileAccount,
  { operation, path }: FileItem,
  sent: Readonly<Record<string, unknown>> & { readonly account_id: string },
): Promise<Readonly<Record<string, unknown>>> {
  const ads = world.ads[environment];
  const { values, issues } = readParams(operation.params, sent, operation.exclusive);
  if (issues.length > 0) throw new AccountRejectedError(issues.map((issue) => inFile(issue, path)));
  const record = await ads.record(sent.account_id);
  if (!record) throw new TypeError('the account has just been made');
  try {
    const result: unknown = await handlerOf(operation)(
      {
        world,
        mode: 'development',
        environment,
        ads,
        caller: { kind: 'operator' },
        user_id: null,
        actor: ACTOR,
        baseUrl: '',
        account: ads.account(sent.account_id),
        record,
        permissions: ['ACCOUNT_ADMIN'],
        reject: rejectWithAny,
      },
      values,
    );
    const [first] = Array.isArray(result) ? result : [result];
    return typeof first === 'object' && first !== null ? { ...first } : {};
  } catch (error) {
    if (error instanceof BatchError || !(error instanceof ApiError)) throw error;
    throw new AccountRejectedError(error.issues.map((issue) => inFile(issue, path)));
  }
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, id]) => [name, String(id)]));
}
