/** Notifications of a signed-in person: their list, the draft that each is about, and the stream of those that come in. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Notification } from '../../../notifications/notification-store.ts';
import type { PostView } from '../../../post-view/post-view.ts';
import { publishedViews } from '../../../post-view/published.ts';
import { unpublishedView } from '../../../post-view/unpublished.ts';
import { draftsById } from '../../../resources/draft-posts/find.ts';
import type { ErrorView } from '../closing-pages.ts';
import { paths } from '../paths.ts';
import type { PersonalRoute } from '../settings.ts';
import { PageError, type Visit } from '../visit.ts';
import type { EventStreams } from './event-streams.ts';
import { draftPage, goneDraftPage, notificationsPage } from './notifications-page.ts';

/** Notifications on a page. */
const PAGE = 20;
/** Posts below a draft. */
const POSTS = 20;
/** An id that a notification can have. */
const ID = /^[1-9]\d{0,14}$/;

const NO_NOTIFICATION: ErrorView = {
  status: 404,
  title: 'There is no such notification',
  message: 'You have no notification with this address. Notifications are kept for 30 days.',
};

/** `GET /notifications`. */
export const showNotifications: PersonalRoute = async (visit, person) => {
  const { notifications } = visit.world;
  const before = numberOf(queryOf(visit, 'before'));
  const found = await notifications.list(person.user_id, { before, limit: PAGE + 1 });
  const shown = found.slice(0, PAGE);
  const older = found.length > PAGE ? (shown.at(-1)?.id ?? null) : null;
  const reader = await visit.reader(person);
  return visit.page(notificationsPage({ reader, notifications: shown, older, isFirst: before === undefined }), {
    live: true,
  });
};

/** `POST /notifications/read`. */
export const readAll: PersonalRoute = async (visit, person) => {
  await visit.world.notifications.markRead(person.user_id);
  return visit.redirect(paths.notifications);
};

/** `GET /notifications/:id`. */
export const showNotification: PersonalRoute = async (visit, person) => {
  const { params } = visit.request;
  const id = numberOf(typeof params === 'object' && params !== null ? Reflect.get(params, 'id') : undefined);
  const notification = id === undefined ? undefined : await visit.world.notifications.get(person.user_id, id);
  if (!notification) throw new PageError(NO_NOTIFICATION);
  // HEAD only looks.
  if (notification.read_ms === null && !visit.isHead)
    await visit.world.notifications.markRead(person.user_id, notification.id);
  const [draft, reader] = await Promise.all([draftOf(visit, notification), visit.reader(person)]);
  if (!draft) return visit.postPage(goneDraftPage(notification, reader), { status: 410, live: true });
  return visit.postPage(draftPage(draft, reader), { live: true });
};

/** `GET /notifications/events`. */
export async function streamNotifications(visit: Visit, streams: EventStreams): Promise<FastifyReply> {
  const person = await visit.person();
  if (!person) return visit.plain(401, 'Sign in first.');
  if (visit.isHead) return visit.events(Readable.from([]));
  const seen = visit.request.headers['last-event-id'] ?? queryOf(visit, 'after');
  const stream = streams.open(person, numberOf(seen) ?? 0);
  return stream ? visit.events(stream) : visit.plain(429, 'Too many pages wait for notifications.');
}

/** The draft of a notification, and the posts below it; `undefined` when the person cannot see it any more. */
async function draftOf(
  visit: Visit,
  { user_id, environment, account_id, draft_post_id }: Notification,
): Promise<{ readonly draft: PostView; readonly posts: readonly PostView[] } | undefined> {
  const { world, baseUrl } = visit;
  await world.shared?.freshen();
  const opened = await world.ads[environment].open(account_id, user_id);
  if (!opened || opened.record.deleted) return undefined;
  const row = (await draftsById(world.ads[environment].account(account_id), [draft_post_id])).get(draft_post_id);
  if (!row) return undefined;
  const draft = await unpublishedView(world, { ...row, time: { kind: 'draft' }, environment, account_id }, baseUrl);
  if (!draft) return undefined;
  const ids = await world.shown.timeline(BigInt(row.user_id), undefined, POSTS);
  const views = await publishedViews(world, ids, { user_id, baseUrl });
  return { draft, posts: views.filter((view): view is PostView => typeof view === 'object') };
}

function queryOf({ request: { query } }: Visit, name: string): unknown {
  return typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined;
}

function numberOf(text: unknown): number | undefined {
  return typeof text === 'string' && ID.test(text) ? Number(text) : undefined;
}
