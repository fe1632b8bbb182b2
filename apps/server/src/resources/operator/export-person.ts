/** The export of all that is held on a person. */
import type { Page } from '@broadside/core';
import { type ExportRecord, exportParts } from '@broadside/core/resources/operator';
import type { AuditQuery } from '../../audit/audit-log.ts';
import type { Exported } from '../../people/exported.ts';
import { environments } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { listAllAudiences } from '../custom-audiences/find.ts';
import { listAllLists } from '../do-not-reach-lists/find.ts';
import { draftPost, listDraftsOf } from '../draft-posts/find.ts';
import { listScheduledOf, scheduledPost } from '../scheduled-posts/find.ts';
import { changes, type PartOfExport, pageOfExport } from './export-pages.ts';
import { inEach, listAccess } from './leave-accounts.ts';
import { keyOf } from './row-keys.ts';

/** Of the format; another one where a reader has to read something in another way. */
const VERSION = 1;
/** Of numbers of 64 bits, one or two. */
const NUMBERS = /^(?:-?\d{1,18}|[1-8]\d{18})(?::(?:-?\d{1,18}|[1-8]\d{18}))?$/;
const COUNT = /^\d{1,9}$/;
/** Which list of which environment, and the last audience of it that was looked at. */
const AUDIENCE = /^[0-3]:[A-Za-z0-9]{1,40}:[A-Za-z0-9]{1,40}$|^[1-3]::$/;
/** Apps of a page. */
const APPS = 100;
/** Audiences that are looked at for a page. */
const AUDIENCES = 20;

const at = (read: PartOfExport['read'], positions: RegExp = NUMBERS): PartOfExport => ({ read, positions });
// Cursors of changes are checked where they are read.
const ofChanges = (asked: (user_id: string) => Omit<AuditQuery, 'count'>): PartOfExport => ({
  read: (world, user_id, position) => changes(world, asked(user_id), position),
});

const person = {
  order: 'export',
  names: exportParts,
  parts: {
    manifest: at(async ({ clock }, user_id) => ({
      records: [
        {
          format: 'broadside person',
          version: VERSION,
          user_id,
          exported_at: new Date(clock.now()).toISOString(),
          parts: exportParts,
        },
      ],
    })),
    profile: at(({ exports }, user_id) => exports.profile(user_id)),
    sessions: at(({ exports }, user_id) => exports.sessions(user_id)),
    access_tokens: at(({ exports }, user_id) => exports.accessTokens(user_id)),
    apps: at(async ({ identity }, user_id, position) => {
      const passed = Number(position);
      const records = await identity.apps.ownedBy(user_id, passed, APPS);
      return { records, next: records.length < APPS ? undefined : `${passed + APPS}` };
    }, COUNT),
    accounts: at(async ({ ads }, user_id) => {
      const found = environments.map(async (environment) => {
        const held = await listAccess.all(ads[environment].database, { user_id });
        return held.map((access) => ({ environment, ...access }));
      });
      return { records: (await Promise.all(found)).flat() };
    }),
    audiences: at(audiences, AUDIENCE),
    notifications: at(({ exports }, user_id) => exports.notifications(user_id)),
    posts: at(({ exports }, user_id, position) => exports.posts(user_id, position)),
    likes: at(({ exports }, user_id, position) => exports.likes(user_id, position)),
    votes: at(({ exports }, user_id, position) => exports.votes(user_id, position)),
    following: at(({ exports }, user_id, position) => exports.following(user_id, position)),
    followers: at(({ exports }, user_id, position) => exports.followers(user_id, position)),
    media: at(({ exports }, user_id, position) => exports.media(user_id, position)),
    media_bytes: at(({ exports }, user_id, position) => exports.mediaBytes(user_id, position)),
    draft_posts: at((world, user_id) =>
      unpublished(world, async (ads) => {
        const names = await inEach(ads, (store) => listDraftsOf.all(store, { user_id }));
        return Promise.all(names.map(({ account_id, id }) => ads.account(account_id).of(draftPost).get(id)));
      }),
    ),
    scheduled_posts: at((world, user_id) =>
      unpublished(world, async (ads) => {
        const names = await inEach(ads, (store) => listScheduledOf.all(store, { user_id }));
        return Promise.all(names.map(({ account_id, id }) => ads.account(account_id).of(scheduledPost).get(id)));
      }),
    ),
    changes_of_person: ofChanges((user_id) => ({ entity: 'USER', entity_id: user_id })),
    changes_by_person: ofChanges((user_id) => ({ user_id })),
    end: at(async () => ({ records: [{}] })),
  },
} as const;

/** A page of the audiences and lists that have the person among their members, by identifiers that the platform knows. */
async function audiences({ ads, memberships }: World, user_id: string, position: string): Promise<Exported> {
  const [step = '0', after_account = '', after = ''] = position.split(':');
  const environment = environments[Math.floor(Number(step) / 2)] ?? 'sandbox';
  const [type, list] =
    Number(step) % 2 === 0
      ? (['CUSTOM_AUDIENCE', listAllAudiences] as const)
      : (['DO_NOT_REACH_LIST', listAllLists] as const);
  const asked = { after_account, after, count: AUDIENCES };
  const all = await inEach(ads[environment], (store) => list.all(store, asked));
  const found = all.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).slice(0, AUDIENCES);
  const records: object[] = [];
  for (const { account_id, id } of found) {
    const intervals = await memberships.of(`${environment}/${id}`, BigInt(user_id));
    for (const { from_s, to_s } of intervals) {
      records.push({ environment, account_id, type, id, from_ms: from_s * 1000, to_ms: to_s * 1000 });
    }
  }
  const last = found.length === AUDIENCES ? found.at(-1) : undefined;
  if (last) return { records, next: `${step}:${last.account_id}:${last.id}` };
  return { records, next: Number(step) < 3 ? `${Number(step) + 1}::` : undefined };
}

async function unpublished(
  { ads }: World,
  read: (of: World['ads']['production']) => Promise<(object | undefined)[]>,
): Promise<Exported> {
  const found = environments.map(async (environment) =>
    (await read(ads[environment])).flatMap((row) => (row ? [{ environment, ...row }] : [])),
  );
  return { records: (await Promise.all(found)).flat() };
}

/** Returns a page of an export. @returns `undefined` when the cursor is not one of an export */
export function exportPage(
  world: World,
  user_id: string,
  cursor: string | undefined,
): Promise<Page<ExportRecord> | undefined> {
  return pageOfExport(person, world, user_id, cursor);
}
