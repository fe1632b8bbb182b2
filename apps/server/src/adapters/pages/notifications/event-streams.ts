/** Notifications as server-sent events, for the pages that signed-in people have open. */
import { Readable } from 'node:stream';
import type { Notification } from '../../../notifications/notification-store.ts';
import type { World } from '../../../world/world.ts';
import { paths } from '../paths.ts';
import type { Person } from '../visit.ts';

/** Open streams of a session: pages that are looked at. Browsers open few connections to a server. */
const MOST_OF_SESSION = 4;
const MOST_OF_PERSON = 20;
const MOST = 1000;
/** A page gets the latest of those that it missed; the others are on the page of notifications. */
const MOST_MISSED = 20;
/** Bytes that wait for a slow reader. One that is slower is cut off, and asks again for what it missed. */
const MAX_WAITING_BYTES = 64 * 1024;
/** Often enough that proxies keep the connection. */
const HEARTBEAT_MS = 20_000;
const RETRY_MS = 2000;

interface Open {
  readonly stream: Readable;
  readonly person: Person;
  /** The events are sent one after the other. */
  sending: Promise<void>;
}

export class EventStreams {
  readonly #world: World;
  readonly #open = new Set<Open>();
  #heartbeat: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(world: World) {
    this.#world = world;
    // Pages ask again for what they missed.
    world.shared?.messages.onGap(() => {
      for (const { stream } of this.#open) stream.destroy();
    });
  }

  /**
   * Opens a stream for a session.
   * @param after the id of the last notification that the page knows
   * @returns `undefined` when there are too many already, or the server is closing
   */
  open(person: Person, after: number): Readable | undefined {
    const of = (is: (other: Person) => boolean) => [...this.#open].filter((other) => is(other.person)).length;
    const isFull =
      this.#open.size >= MOST ||
      of(({ session }) => session === person.session) >= MOST_OF_SESSION ||
      of(({ user_id }) => user_id === person.user_id) >= MOST_OF_PERSON;
    if (isFull || this.#closed) return undefined;
    const stream = new Readable({ read() {} });
    const open: Open = { stream, person, sending: Promise.resolve() };
    let last = after;
    const send = (load: () => Promise<readonly Notification[]>) => {
      open.sending = open.sending
        .then(async () => {
          for (const notification of await load()) {
            if (notification.id <= last || stream.destroyed) continue;
            last = notification.id;
            await this.#send(open, notification);
          }
        })
        // The reader asks again for what it missed.
        .catch(() => void stream.destroy());
    };
    const { notifications } = this.#world;
    // Listening comes first, so that nothing is missed in between.
    const stop = notifications.listen(person.user_id, (notification) => send(async () => [notification]));
    stream.once('close', () => {
      stop();
      this.#open.delete(open);
      if (this.#open.size === 0) this.#rest();
    });
    this.#open.add(open);
    this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    stream.push(`retry: ${RETRY_MS}\n\n`);
    send(() => notifications.after(person.user_id, after, MOST_MISSED));
    return stream;
  }

  /** Ends the streams of a session that has ended. */
  endSession(session: string): void {
    for (const open of this.#open) if (open.person.session === session) end(open);
  }

  /** Ends all streams, and opens no more. */
  close(): void {
    this.#closed = true;
    this.#rest();
    for (const { stream } of this.#open) stream.push(null);
  }

  async #send(open: Open, { id, title }: Notification): Promise<void> {
    const { notifications } = this.#world;
    if (!(await this.#isSignedIn(open))) return;
    const { unread } = await notifications.summary(open.person.user_id);
    const data = JSON.stringify({ title, href: paths.notification(id), unread });
    push(open.stream, `id: ${id}\nevent: notification\ndata: ${data}\n\n`);
  }

  /** A session can have ended elsewhere. */
  async #isSignedIn(open: Open): Promise<boolean> {
    const person = await this.#world.sessions.find(open.person.session);
    if (!person) end(open);
    return person !== undefined;
  }

  #beat(): void {
    for (const open of this.#open) {
      push(open.stream, ': still here\n\n');
      this.#isSignedIn(open).catch(() => void open.stream.destroy());
    }
  }

  #rest(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

/** Tells the page to ask no more, and ends the stream. */
function end({ stream }: Open): void {
  push(stream, 'event: end\ndata: {}\n\n');
  if (!stream.destroyed) stream.push(null);
}

function push(stream: Readable, text: string): void {
  if (stream.destroyed || stream.readableEnded) return;
  if (stream.readableLength > MAX_WAITING_BYTES) stream.destroy();
  else stream.push(text);
}
