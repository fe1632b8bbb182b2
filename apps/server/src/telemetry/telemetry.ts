/** What a thread measures of its work: figures for `/metrics`, and spans for a collector of traces. A server measures neither unless it is told to. */
import type { Awaitable } from '../awaitable.ts';
import type { StoreWatch, Watch } from '../db/store-watch.ts';
import type { World } from '../world/world.ts';
import type { StoreName } from '../world/world-options.ts';
import { now, secondsSince, type ThreadFigures } from './thread-figures.ts';
import type { OpenSpan, Tracing } from './tracing.ts';

export interface Telemetry {
  readonly figures: ThreadFigures | undefined;
  readonly tracing: Tracing | undefined;
  /** Counts a connection that was closed without a request. */
  readonly closed: (code: string) => void;
  /** Ends the measuring, and sends what is left. */
  close(): Promise<void>;
}

/** Has the work of a world measured. @param runsJobs false in threads that only read */
export function watchWorld(telemetry: Telemetry, world: World, runsJobs: boolean): void {
  world.stores.watch((store) => storeWatch(telemetry, store));
  if (runsJobs) world.jobs.watch((kind) => jobWatch(telemetry, kind));
}

function storeWatch({ figures, tracing }: Telemetry, store: StoreName): StoreWatch {
  const own = figures?.stores[store];
  const attributes = { 'db.system.name': 'sqlite', 'db.namespace': store };
  return {
    read(work) {
      const began_ms = now();
      const span = tracing?.child('store.read', attributes);
      return whenEnded(within(span, work), (failure) => {
        own?.reads.add(secondsSince(began_ms));
        span?.end(failure);
      });
    },
    write() {
      const began_ms = now();
      const span = tracing?.child('store.write', attributes);
      let commit: OpenSpan | undefined;
      return {
        run: (body) =>
          whenEnded(within(span, body), () => {
            // From here on it waits for the others of its transaction, and for the disk.
            commit = span?.within(() => tracing?.child('store.commit', attributes));
          }),
        ended(failure) {
          own?.writes.add(secondsSince(began_ms));
          commit?.end(failure);
          span?.end(failure);
        },
      };
    },
    commit(writes) {
      const began_ms = now();
      return () => {
        own?.commits.add(secondsSince(began_ms));
        own?.groups.add(writes);
      };
    },
  };
}

function jobWatch({ figures, tracing }: Telemetry, kind: string): Watch {
  const began_ms = now();
  const span = tracing?.root(`job ${kind}`, { 'broadside.job.kind': kind });
  return {
    run: (work) => within(span, work)(),
    ended(failure) {
      figures?.ranJob(kind, began_ms);
      if (failure) figures?.jobFailures.add({ kind });
      span?.end(failure);
    },
  };
}

/** A work that is done in a span, where there is one. */
export function within<T>(span: OpenSpan | undefined, work: () => T): () => T {
  return span ? () => span.within(work) : work;
}

/** Runs a work, and calls back when it has ended. */
export function whenEnded<T>(
  work: () => Awaitable<T>,
  ended: (failure?: { readonly error: unknown }) => void,
): Awaitable<T> {
  let value: Awaitable<T>;
  try {
    value = work();
  } catch (error) {
    ended({ error });
    throw error;
  }
  if (!(value instanceof Promise)) {
    ended();
    return value;
  }
  return value.then(
    (given) => {
      ended();
      return given;
    },
    (error: unknown) => {
      ended({ error });
      throw error;
    },
  );
}
