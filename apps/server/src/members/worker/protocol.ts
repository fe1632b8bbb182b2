/** Messages between the process and the thread that merges. */
import type { Appended, LogPosition } from '../log/member-log.ts';
import type { MemberFigures, PlatformPerson, VersionedMembers } from '../member-store.ts';

/** The options that the thread is started with. */
export interface WorkerStart {
  readonly directory: string;
  /** The end of the log, if it is being written. */
  readonly end: LogPosition | undefined;
  /** People of the platform will come, and end with `peopleLoaded`. */
  readonly awaitsPeople: boolean;
}

/** Requests by name, with their arguments and results. */
export interface Requests {
  settle: { readonly arguments: { readonly audience: string }; readonly result: undefined };
  matched: { readonly arguments: { readonly audience: string }; readonly result: VersionedMembers };
  figures: { readonly arguments: { readonly audience: string }; readonly result: MemberFigures };
  drop: {
    readonly arguments: {
      readonly audience: string;
      /** The frame that says so, */
      readonly seq: number;
      /** and the segment after it. */
      readonly segment: number;
    };
    readonly result: undefined;
  };
  sweep: { readonly arguments: { readonly now_s: number; readonly segment: number }; readonly result: undefined };
  people: { readonly arguments: { readonly people: readonly PlatformPerson[] }; readonly result: undefined };
  peopleLoaded: { readonly arguments: Record<never, never>; readonly result: undefined };
  close: { readonly arguments: Record<never, never>; readonly result: undefined };
}

export type RequestName = keyof Requests;

/** A message to the thread. */
export type ToWorker =
  | { [Name in RequestName]: { readonly id: number; readonly name: Name } & Requests[Name]['arguments'] }[RequestName]
  | ({ readonly name: 'appended' } & Appended);

/** A message from the thread. */
export type FromWorker =
  | {
      readonly name: 'ready';
      /** The number of the next frame of the log, for a process that has not written it yet. */
      readonly seq: number;
      /** Bytes of the log that are not merged. */
      readonly unmerged: number;
    }
  /** So many bytes of the log have been merged since the start. */
  | { readonly name: 'merged'; readonly bytes: number }
  | { readonly name: 'changed'; readonly audience: string; readonly changed: VersionedMembers }
  | { readonly name: 'failed'; readonly error: Error }
  | { readonly name: 'result'; readonly id: number; readonly result: unknown }
  | { readonly name: 'rejected'; readonly id: number; readonly error: Error };
