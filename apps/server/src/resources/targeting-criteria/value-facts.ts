/** Stored facts about the entities that the values of criteria name. */
import { targetingTypeFacts, type ValueFacts, type ValueKind } from '@broadside/core/resources/targeting-criteria';
import type { Context } from '../../pipeline/context.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { campaign as campaigns } from '../campaigns/find.ts';
import { promotableAmong } from '../promotable-users/find.ts';
import { publishersAmong } from '../publishers/find.ts';
import { findAudience } from './audiences.ts';

/** The members of a criterion that identify the entity of its value. */
type Valued = Parameters<typeof kindOf>[0];

function kindOf({ targeting_type }: { readonly targeting_type: keyof typeof targetingTypeFacts }): ValueKind {
  return targetingTypeFacts[targeting_type].kind;
}

const userKinds: readonly ValueKind[] = ['full_promotable_user', 'promotable_user', 'publisher', 'user'];

/** A user, with facts from the catalogue of publishers. */
interface NamedUser {
  readonly screen_name: string;
  readonly is_publisher: boolean;
}

/** Users by id. */
export type NamedUsers = ReadonlyMap<string, NamedUser>;

/** Looks up the users that criteria name. They belong to no account, so no transaction of an account is needed. */
export async function findUsers(
  { world, ads }: Context,
  criteria: readonly (Valued & { readonly targeting_value: string })[],
): Promise<NamedUsers> {
  const named = criteria.filter((criterion) => userKinds.includes(kindOf(criterion)));
  const ids = [...new Set(named.map(({ targeting_value }) => targeting_value))];
  const users = new Map<string, NamedUser>();
  if (ids.length === 0) return users;
  const publishers = await publishersAmong(ads.catalogue, ids);
  for (const id of ids) {
    const user = await world.identity.users.get(id);
    if (user) users.set(id, { screen_name: user.screen_name, is_publisher: publishers.has(id) });
  }
  return users;
}

/** Looks up the entity in an account that the value of a criterion names. */
export async function findFacts(
  account: AccountReader,
  criterion: Valued & { readonly targeting_value: string },
  users: NamedUsers,
): Promise<ValueFacts> {
  const { targeting_value: value } = criterion;
  const kind = kindOf(criterion);
  if (kind === 'audience') {
    const audience = await findAudience(account, value);
    return audience ? { audience } : {};
  }
  if (kind === 'campaign') {
    const campaign = await account.of(campaigns).get(value);
    return campaign && !campaign.deleted ? { campaign } : {};
  }
  const named = userKinds.includes(kind) ? users.get(value) : undefined;
  if (!named) return {};
  const [promotable] = await promotableAmong(account, [value]);
  const is_full = promotable?.promotable_user_type === 'FULL';
  return { user: { ...named, is_full, is_promotable: promotable !== undefined } };
}
