/** What a thread measures of its work: figures for `/metrics`, and spans for a collector of traces. A server measures neither unless it is told to. */
import type { Awaitable } from '../awaitable.ts';
import type { StoreWatch, Watch } from '../db/store-watch.ts';
import type { World } from '../world/world.ts';
import type { StoreName } from '../world/world-options.ts';
import { now, secondsSince, type ThreadFigures } from './thread-figures.ts';

export interface Telemetry {
  readonly figures: ThreadFigures | undefined;
  /** Counts a connection that was closed without a request. */
  readonly closed: (code: string) => void;
}

/** Has the work of a world measured. @param runsJobs false in threads that only read */
export function watchWorld(telemetry: Telemetry, world: World, runsJobs: boolean): void {
  world.watch((store) => storeWatch(telemetry, store), runsJobs ? (kind) => jobWatch(telemetry, kind) : undefined);
}

function storeWatch({ figures }: Telemetry, store: StoreName): StoreWatch {
  const own = figures?.stores[store];
  return {
    read(work) {
      const began_ms = now();
      return whenEnded(work, () => own?.reads.add(secondsSince(began_ms)));
    },
    write() {
      const began_ms = now();
      return {
        run: (body) => body(),
        ended: () => own?.writes.add(secondsSince(began_ms)),
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

function jobWatch({ figures }: Telemetry, kind: string): Watch {
  const began_ms = now();
  return {
    run: (work) => work(),
    ended(failure) {
      figures?.ranJob(kind, began_ms);
      if (failure) figures?.jobFailures.add({ kind });
    },
  };
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
