/**
 * Scheduled posts in the plainest form: an array, and whatever is due when jobs run is published. What the server shows and what
 * the platform holds is held against it after any sequence of changes.
 */
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A scheduled post as the model knows it. */
export interface ModelPost {
  readonly id: string;
  text: string;
  name: string | null;
  /** Milliseconds since the epoch. */
  time: number;
  scheduled_status: 'SCHEDULED' | 'SUCCESS';
}

/** The scheduled posts of one account, at a time that the test holds. */
export class ScheduledModel {
  /** Those with a record. */
  posts: ModelPost[] = [];
  /** The texts of all posts that were published, in their order. */
  readonly published: string[] = [];
  /** Milliseconds since the epoch. */
  now: number;

  constructor(now: number) {
    this.now = now;
  }

  /** The post at a place, counted around; `undefined` while there is none. */
  postAt(place: number): ModelPost | undefined {
    return this.posts[place % Math.max(1, this.posts.length)];
  }

  /** Returns whether a post can be scheduled for a time. */
  takes(time: number): boolean {
    return time > this.now && time <= this.now + 365 * DAY_MS;
  }

  isEditable({ scheduled_status, time }: ModelPost): boolean {
    return scheduled_status === 'SCHEDULED' && time > this.now;
  }

  /** Publishes what is due. */
  run(): void {
    const due = this.posts.filter(({ scheduled_status, time }) => scheduled_status === 'SCHEDULED' && time <= this.now);
    for (const post of due.toSorted((one, other) => one.time - other.time)) {
      post.scheduled_status = 'SUCCESS';
      this.published.push(post.text);
    }
  }
}

/** A time some minutes from now, as scheduled posts have it. */
export function minuteFrom(now: number, minutes: number): number {
  return (Math.floor(now / MINUTE_MS) + minutes) * MINUTE_MS;
}
