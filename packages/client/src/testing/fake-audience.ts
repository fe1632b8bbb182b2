/** A list of people that stands in for the server's: it checks each request and applies it. */
import { audienceUsersShape } from '@broadside/core/resources/custom-audiences/users';
import type { PackLimits } from '../audience-upload/pack.ts';
import type { UploadTarget } from '../audience-upload/upload.ts';
import type { RateLimits } from '../rate-limits.ts';
import type { CallOptions } from '../transport.ts';

/** An operation as it is sent. */
export interface SentOperation {
  readonly operation_type: 'Update' | 'Delete';
  readonly params: {
    readonly users: readonly Readonly<Record<string, readonly string[]>>[];
    readonly effective_at?: string;
    readonly expires_at?: string;
  };
}

/** The fate of a request: `lost` after it was applied, or `failed` before. */
type Fate = 'ok' | 'lost' | 'failed';

/** Settings of a fake list. */
export interface FakeAudienceOptions {
  readonly limits?: PackLimits;
  /** The fate of each request, by its index. */
  readonly fate?: (index: number) => Fate;
  /** Turns of the event loop until a request is applied, by its index. */
  readonly latency?: (index: number) => number;
  readonly rateLimits?: (index: number) => RateLimits;
  readonly shape?: UploadTarget['shape'];
}

/** The time at which uploads begin. */
export const NOW = Date.UTC(2026, 10, 1, 12);

/** A list that applies the requests of uploads. */
export class FakeAudience {
  /** Bodies in the order in which they came. */
  readonly received: SentOperation[][] = [];
  /** The times of each member, by the kind and the value of an identifier. */
  readonly members = new Map<string, Set<string>>();
  readonly time = { now: NOW };
  /** Waits in milliseconds. */
  readonly waits: number[] = [];
  readonly target: UploadTarget;
  underWay = 0;
  mostUnderWay = 0;

  constructor(options: FakeAudienceOptions = {}) {
    const limits = options.limits ?? { operations: 2_500, bytes: 5_000_000 };
    this.target = {
      name: 'custom_audiences.users abc1 1nmth',
      shape: options.shape ?? audienceUsersShape,
      limits,
      now: () => this.time.now,
      pause: async (ms) => {
        this.waits.push(ms);
        this.time.now += ms;
      },
      send: (body, users, call) => this.#receive(body, users, call, { ...options, limits }),
    };
  }

  /** All users in the order in which they came. */
  get users() {
    return this.received.flat().flatMap(({ params }) => params.users);
  }

  async #receive(
    body: string,
    users: number,
    { signal }: CallOptions,
    { limits, fate, latency, rateLimits }: FakeAudienceOptions & { limits: PackLimits },
  ): Promise<RateLimits> {
    const index = this.received.length;
    const operations: SentOperation[] = JSON.parse(body);
    this.received.push(operations);
    const bytes = new TextEncoder().encode(body).length;
    if (bytes > limits.bytes) throw new RangeError(`${bytes} bytes`);
    if (operations.length > limits.operations) throw new RangeError(`${operations.length} operations`);
    const counted = operations.reduce((sum, { params }) => sum + params.users.length, 0);
    if (counted !== users) throw new RangeError(`${counted} users, not ${users}`);
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    try {
      for (let turns = latency?.(index) ?? 0; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      const end = fate?.(index) ?? 'ok';
      if (end === 'failed') throw new TypeError('the server is gone');
      for (const operation of operations) this.#apply(operation);
      if (end === 'lost') throw new TypeError('the answer was lost');
      return rateLimits?.(index) ?? {};
    } finally {
      this.underWay -= 1;
    }
  }

  #apply({ operation_type, params: { users, effective_at, expires_at } }: SentOperation): void {
    for (const [kind, values] of users.flatMap((user) => Object.entries(user))) {
      for (const value of values) {
        const key = `${kind} ${value}`;
        if (operation_type === 'Delete') this.members.delete(key);
        else this.members.set(key, (this.members.get(key) ?? new Set()).add(`${effective_at} ${expires_at}`));
      }
    }
  }
}
