/** Notifications to people, kept for a while, and announced to the pages that they have open. */
import { and, desc, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Awaitable } from '../awaitable.ts';
import type { Database } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import type { Messages } from '../shared/shared-state.ts';
import type { Clock } from '../world/clock.ts';
import type { Environment } from '../world/environment.ts';
import { notifications } from './platform-table.ts';

/** Notifications are removed 30 days after they were sent (our choice). */
export const KEPT_MS = 30 * 86_400_000;
/** A person has the latest of them only (our choice): someone who previews in a loop does not fill the store. */
export const MOST_KEPT = 200;
const TITLE_LENGTH = 80;

/** A draft to be shown to a person. */
export interface DraftNotice {
  readonly user_id: string;
  readonly environment: Environment;
  readonly account_id: string;
  readonly draft_post_id: string;
  /** Its name, or else its text; cut where it is long. */
  readonly title: string;
}

/** A notification. Times are the world's clock's. */
export interface Notification extends DraftNotice {
  readonly id: number;
  readonly created_ms: number;
  readonly read_ms: number | null;
}

const { id, user_id, created_ms, read_ms } = notifications;

const insert = statement(
  {
    user_id,
    environment: notifications.environment,
    account_id: notifications.account_id,
    draft_post_id: notifications.draft_post_id,
    title: notifications.title,
    created_ms,
  },
  (row) => query.insert(notifications).values(row).returning({ id }),
);
const removeOld = statement({ until: created_ms }, ({ until }) =>
  query.delete(notifications).where(lte(created_ms, until)),
);
const removeBeyond = statement({ user_id }, (args) =>
  query
    .delete(notifications)
    .where(
      and(
        eq(user_id, args.user_id),
        lte(
          id,
          query
            .select({ id })
            .from(notifications)
            .where(eq(user_id, args.user_id))
            .orderBy(desc(id))
            .limit(1)
            .offset(MOST_KEPT),
        ),
      ),
    ),
);
const own = { user_id, since: created_ms };
const listBefore = statement({ ...own, before: id, limit: types.int }, (args) =>
  query
    .select()
    .from(notifications)
    .where(and(eq(user_id, args.user_id), lt(id, args.before), gt(created_ms, args.since)))
    .orderBy(desc(id))
    .limit(args.limit.placeholder),
);
const listAfter = statement({ ...own, after: id, limit: types.int }, (args) =>
  query
    .select()
    .from(notifications)
    .where(and(eq(user_id, args.user_id), gt(id, args.after), gt(created_ms, args.since)))
    .orderBy(desc(id))
    .limit(args.limit.placeholder),
);
const find = statement({ ...own, id }, (args) =>
  query
    .select()
    .from(notifications)
    .where(and(eq(id, args.id), eq(user_id, args.user_id), gt(created_ms, args.since)))
    .limit(1),
);
const summarize = statement(own, (args) =>
  query
    .select({
      latest: sql<number>`coalesce(max(${id}), 0)`.mapWith(id),
      unread: sql<number>`count(*) - count(${read_ms})`.mapWith(id),
    })
    .from(notifications)
    .where(and(eq(user_id, args.user_id), gt(created_ms, args.since)))
    .limit(1),
);
const markOne = statement({ user_id, id, at: created_ms }, (args) =>
  query
    .update(notifications)
    .set({ read_ms: args.at })
    .where(and(eq(id, args.id), eq(user_id, args.user_id), isNull(read_ms))),
);
const markAll = statement({ user_id, at: created_ms }, (args) =>
  query
    .update(notifications)
    .set({ read_ms: args.at })
    .where(and(eq(user_id, args.user_id), isNull(read_ms))),
);

type Listener = (notification: Notification) => void;

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** To other servers that have pages open. */
  readonly messages?: Messages | undefined;
}

/** Tells other servers of a notification. */
const SENT = 'notification';

export class NotificationStore {
  readonly #services: Services;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(services: Services) {
    this.#services = services;
    services.messages?.on(SENT, (text) => void this.#sentElsewhere(text).catch(() => {}));
  }

  /** Sends a person a notification of a draft, and removes what has been kept for long enough. */
  async notifyDraft(notice: DraftNotice): Promise<Notification> {
    const { database, clock } = this.#services;
    const now = clock.now();
    const row = { ...notice, title: shortened(notice.title), created_ms: now };
    const added = await database.write(async (writer) => {
      await removeOld.run(writer, { until: now - KEPT_MS });
      const inserted = await insert.first(writer, row);
      await removeBeyond.run(writer, notice);
      return inserted;
    });
    if (!added) throw new TypeError('a notification got no id');
    const notification = { ...row, id: added.id, read_ms: null };
    this.#announce(notification);
    this.#services.messages?.send(SENT, `${added.id} ${notice.user_id}`);
    return notification;
  }

  #announce(notification: Notification): void {
    for (const listener of this.#listeners.get(notification.user_id) ?? []) listener(notification);
  }

  async #sentElsewhere(text: string): Promise<void> {
    const [sent, user = ''] = text.split(' ');
    if (!this.#listeners.has(user)) return;
    const notification = await this.get(user, Number(sent));
    if (notification) this.#announce(notification);
  }

  /** Lists notifications of a person, the newest first. @param before the id from which a page goes on */
  list(user: string, { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number }) {
    return listBefore.all(this.#services.database, { ...this.#of(user), before, limit });
  }

  /** Lists the latest notifications of a person that came after one, the oldest first. */
  async after(user: string, after: number, limit: number): Promise<Notification[]> {
    return (await listAfter.all(this.#services.database, { ...this.#of(user), after, limit })).reverse();
  }

  /** Returns a notification of this person. */
  get(user: string, notification: number): Awaitable<Notification | undefined> {
    return find.first(this.#services.database, { ...this.#of(user), id: notification });
  }

  /** Returns the number of notifications that a person has not read, and the id of the latest; 0 when there is none. */
  async summary(user: string): Promise<{ readonly unread: number; readonly latest: number }> {
    return (await summarize.first(this.#services.database, this.#of(user))) ?? { unread: 0, latest: 0 };
  }

  /** Marks a notification of a person as read, or all of them. */
  async markRead(user: string, notification?: number): Promise<void> {
    const { database, clock } = this.#services;
    const args = { user_id: user, at: clock.now() };
    await database.write(async (writer) => {
      if (notification === undefined) await markAll.run(writer, args);
      else await markOne.run(writer, { ...args, id: notification });
    });
  }

  /** Calls a function for each notification that is sent to a person. @returns ends that */
  listen(user: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(user) ?? new Set();
    this.#listeners.set(user, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(user);
    };
  }

  #of(user: string) {
    return { user_id: user, since: this.#services.clock.now() - KEPT_MS };
  }
}

/** Cuts a text in its first line, between its characters. */
function shortened(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const characters = [...line];
  return characters.length <= TITLE_LENGTH ? line : `${characters.slice(0, TITLE_LENGTH).join('').trimEnd()}…`;
}
