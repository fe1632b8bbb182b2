/** The export of all that is held on a person, as pages of records. */
import { decodeCursor, encodeCursor, type Page } from '@broadside/core';
import { type AuditEntry, type ExportPart, type ExportRecord, exportParts } from '@broadside/core/resources/operator';
import type { AuditQuery } from '../../audit/audit-log.ts';
import type { Exported } from '../../people/exported.ts';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { draftPost, listDraftsOf } from '../draft-posts/find.ts';
import { listScheduledOf, scheduledPost } from '../scheduled-posts/find.ts';
import { inEach, listAccess } from './leave-accounts.ts';

const ORDER = 'export';
/** Of the format; another one where a reader has to read something in another way. */
const VERSION = 1;
/** Positions that a page tries before it is given without records. */
const MOST_EMPTY = 20;

/** @returns `undefined` where the position is none */
type Read = (world: World, user_id: string, position: string) => Promise<Exported | undefined>;

interface Position {
  readonly part: number;
  readonly position: string;
}

const parts: Readonly<Record<ExportPart, Read>> = {
  manifest: async ({ clock }, user_id) => ({
    records: [
      {
        format: 'broadside person',
        version: VERSION,
        user_id,
        exported_at: new Date(clock.now()).toISOString(),
        parts: exportParts,
      },
    ],
  }),
  profile: ({ exports }, user_id) => exports.profile(user_id),
  sessions: ({ exports }, user_id) => exports.sessions(user_id),
  access_tokens: ({ exports }, user_id) => exports.accessTokens(user_id),
  apps: async ({ identity }, user_id) => ({ records: await identity.apps.ownedBy(user_id) }),
  accounts: async ({ ads }, user_id) => {
    const found = environments.map(async (environment) => {
      const held = await listAccess.all(ads[environment].database, { user_id });
      return held.map((access) => ({ environment, ...access }));
    });
    return { records: (await Promise.all(found)).flat() };
  },
  notifications: ({ exports }, user_id) => exports.notifications(user_id),
  posts: ({ exports }, user_id, position) => exports.posts(user_id, position),
  likes: ({ exports }, user_id, position) => exports.likes(user_id, position),
  votes: ({ exports }, user_id, position) => exports.votes(user_id, position),
  following: ({ exports }, user_id, position) => exports.following(user_id, position),
  followers: ({ exports }, user_id, position) => exports.followers(user_id, position),
  media: ({ exports }, user_id, position) => exports.media(user_id, position),
  media_bytes: ({ exports }, user_id, position) => exports.mediaBytes(user_id, position),
  draft_posts: (world, user_id) =>
    unpublished(world, async (ads) => {
      const names = await inEach(ads, (store) => listDraftsOf.all(store, { user_id }));
      return Promise.all(names.map(({ account_id, id }) => ads.account(account_id).of(draftPost).get(id)));
    }),
  scheduled_posts: (world, user_id) =>
    unpublished(world, async (ads) => {
      const names = await inEach(ads, (store) => listScheduledOf.all(store, { user_id }));
      return Promise.all(names.map(({ account_id, id }) => ads.account(account_id).of(scheduledPost).get(id)));
    }),
  changes_of_person: (world, user_id, position) => changes(world, { entity: 'USER', entity_id: user_id }, position),
  changes_by_person: (world, user_id, position) => changes(world, { user_id }, position),
  end: async () => ({ records: [{}] }),
};

async function unpublished(
  { ads }: World,
  read: (of: World['ads']['production']) => Promise<(object | undefined)[]>,
): Promise<Exported> {
  const found = environments.map(async (environment) =>
    (await read(ads[environment])).flatMap((row) => (row ? [{ environment, ...row }] : [])),
  );
  return { records: (await Promise.all(found)).flat() };
}

async function changes(
  world: World,
  asked: Omit<AuditQuery, 'count'>,
  position: string,
): Promise<Exported | undefined> {
  const page: Page<AuditEntry> | undefined = await world.audit.list({
    ...asked,
    count: 200,
    cursor: position === '' ? undefined : position,
  });
  return page && { records: page.data, next: page.next_cursor ?? undefined };
}

/** Returns a page of an export. @returns `undefined` when the cursor is not one of an export */
export async function exportPage(
  world: World,
  user_id: string,
  cursor: string | undefined,
): Promise<Page<ExportRecord> | undefined> {
  let at: Position | undefined = cursor === undefined ? { part: 0, position: '' } : readCursor(cursor);
  for (let empty = 0; ; empty++) {
    const name: ExportPart | undefined = at && exportParts[at.part];
    if (!at || name === undefined) return undefined;
    const exported: Exported | undefined = await parts[name](world, user_id, at.position);
    if (!exported) return undefined;
    const { records, next } = exported;
    at = next === undefined ? { part: at.part + 1, position: '' } : { part: at.part, position: next };
    const isOver = at.part === exportParts.length;
    if (records.length === 0 && !isOver && empty < MOST_EMPTY) continue;
    const data = records.map((record) => ({ part: name, data: shown(record) }));
    const after = [BigInt(at.part), at.position];
    return { data, next_cursor: isOver ? null : encodeCursor({ order: ORDER, after }) };
  }
}

/** Ids are texts, since few readers of JSON read whole numbers of 64 bits; times are those of the wire. */
function shown(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => {
      if (name.endsWith('_ms') && typeof value === 'number')
        return [name.replace(/_ms$/, '_at'), new Date(value).toISOString()];
      return [name, typeof value === 'bigint' ? `${value}` : value];
    }),
  );
}

/** Of numbers of 64 bits, one or two. Changes have cursors of their own, which are checked where they are read. */
const NUMBERS = /^(?:-?\d{1,18}|[1-8]\d{18})(?::(?:-?\d{1,18}|[1-8]\d{18}))?$/;

function readCursor(text: string): Position | undefined {
  const cursor = decodeCursor(text);
  const [part, position, ...more] = cursor?.order === ORDER ? cursor.after : [];
  const isOurs = typeof part === 'bigint' && typeof position === 'string' && more.length === 0;
  if (!isOurs || part < 0n || part >= BigInt(exportParts.length)) return undefined;
  const ofChanges = exportParts[Number(part)]?.startsWith('changes_') === true;
  if (position !== '' && !ofChanges && !NUMBERS.test(position)) return undefined;
  return { part: Number(part), position };
}
