/** The operator's reviews of creatives. */
import { decodeCursor, encodeCursor, type OperatorContract, type Page, type Reject } from '@broadside/core';
import type { ApprovalStatus } from '@broadside/core/resources/accounts';
import type { Creative } from '@broadside/core/resources/operator';
import { pageOf } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import { findAccount } from '../accounts/find.ts';
import { creativesOf } from './creative-rows.ts';
import { postsWithCard } from './posts-with-card.ts';
import { findReviewed, reviewPromoted } from './reviews.ts';

type Handlers = HandlersOf<OperatorContract['admin']>['creatives'];
type ListParams = Parameters<Handlers['list']>[1];
type Kind = Creative['entity'];

const kinds: readonly Kind[] = ['MEDIA_CREATIVE', 'PROMOTED_ACCOUNT', 'PROMOTED_POST'];
const ORDER = 'creatives';
/** Rows that are compared for a page. */
const MOST_READ = 20_000;

interface Place {
  readonly kind: Kind;
  readonly account_id: string;
  readonly id: string;
}

function readCursor(text: string): Place | undefined {
  const cursor = decodeCursor(text);
  const [name, account_id, id, ...more] = cursor?.order === ORDER ? cursor.after : [];
  const kind = kinds.find((one) => one === name);
  if (!kind || typeof account_id !== 'string' || typeof id !== 'string' || more.length > 0) return undefined;
  return { kind, account_id, id };
}

/** A page of creatives. @returns `undefined` when the cursor is not one of such a list */
export async function listCreatives(
  { world }: Pick<Parameters<Handlers['list']>[0], 'world'>,
  { environment, account_id, entity, approval_status, count, cursor }: ListParams,
): Promise<Page<Creative> | undefined> {
  const asked = kinds.filter((kind) => (entity ?? kind) === kind);
  const start = { kind: asked[0] ?? 'PROMOTED_POST', account_id: account_id ?? '', id: '' };
  let at: Place | undefined = cursor === undefined ? start : readCursor(cursor);
  if (!at || !asked.includes(at.kind)) return undefined;
  const data: Creative[] = [];
  for (let read = 0; at && data.length < count && read < MOST_READ; ) {
    const { kind, ...from }: Place = at;
    const scan = { ...from, only: account_id, approval_status, most: MOST_READ };
    const found = await creativesOf(world.ads[environment], kind, scan, count - data.length);
    data.push(...found.creatives);
    // Of a kind that is over, few or none were read.
    if (found.next) read += MOST_READ;
    const next: Kind | undefined = asked[asked.indexOf(kind) + 1];
    at = found.next ? { kind, ...found.next } : next && { ...start, kind: next };
  }
  const next_cursor = at ? encodeCursor({ order: ORDER, after: [at.kind, at.account_id, at.id] }) : null;
  return { data, next_cursor };
}

interface Review {
  readonly entity: Kind;
  readonly approval_status: ApprovalStatus;
  readonly reason: string | undefined;
}

/** Has a review come to something, and records why. */
async function review(
  reject: Reject<'NOT_FOUND'>,
  writer: AccountWriter,
  entity_id: string,
  { entity, approval_status, reason }: Review,
): Promise<Creative> {
  const before = await findReviewed(writer, entity, entity_id);
  const after = await reviewPromoted(writer, entity, entity_id, approval_status);
  if (!before || !after) {
    const message = `The account has no ${entity} ${entity_id.slice(0, 100)}`;
    throw reject.error({ error: 'NOT_FOUND', parameter: 'entity_id', value: entity_id, message });
  }
  await writer.recordChange({
    entity: 'CREATIVE_REVIEW',
    entity_id,
    before: { id: entity_id, entity, approval_status: before.approval_status },
    after: { id: entity_id, entity, approval_status, reason: reason ?? null },
  });
  return {
    account_id: writer.account_id,
    entity,
    entity_id,
    line_item_id: after.line_item_id,
    shows: after.post_id ?? after.user_id ?? after.account_media_id ?? '',
    approval_status,
    updated_at: after.updated_at,
  };
}

function decide(approval_status: ApprovalStatus): Handlers['approve'] {
  return async (context, { environment, account_id, entity, entity_id, reason }): Promise<Creative[]> => {
    const { world, actor, reject } = context;
    const ads = world.ads[environment];
    await findAccount(context, environment, account_id);
    const account = ads.account(account_id);
    const ids = entity === 'CARD' ? await postsWithCard(context, account, entity_id) : [entity_id];
    const decided = { entity: entity === 'CARD' ? 'PROMOTED_POST' : entity, approval_status, reason } as const;
    return account.write(actor, async (writer) => {
      const reviewed: Creative[] = [];
      for (const id of ids) reviewed.push(await review(reject, writer, id, decided));
      return reviewed;
    });
  };
}

/** Reviews of creatives. */
export const adminCreatives: Handlers = {
  async list(context, params) {
    const { account_id, environment } = params;
    if (account_id !== undefined) await findAccount(context, environment, account_id);
    return pageOf(await listCreatives(context, params), params.cursor);
  },
  approve: decide('ACCEPTED'),
  reject: decide('REJECTED'),
  review: decide('UNDER_REVIEW'),
};
