/** The dialect of a request, which is found once, before anything else looks at the request. */
import type { IncomingMessage } from 'node:http';
import type { Dialect } from '@broadside/core/dialect';

/** A request in a dialect, as far as it is known. */
export interface Spoken {
  readonly dialect: Dialect;
  /** Path and query as they were received, which the signature covers. */
  readonly target: string;
  /** The origin under which the client reached the listener, where it is one of the dialect. */
  readonly baseUrl: string | undefined;
  /** The prefix by which the request chose the dialect; empty where it did otherwise. */
  readonly prefix: string;
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set when the request is in a dialect; `url` is then in the words of the interface. */
    spoken?: Spoken;
    /** Path and query as they were received, where the path begins with a world. */
    received?: string;
  }
}

/** A request, or one of the framework around it. */
export interface SpokenRequest {
  readonly raw?: IncomingMessage;
  readonly spoken?: Spoken;
}

/** Returns the dialect of a request. */
export function spokenBy(request: SpokenRequest): Spoken | undefined {
  return request.raw === undefined ? request.spoken : request.raw.spoken;
}

/** Returns path and query of a request as they were received. */
export function receivedTarget(request: IncomingMessage): string {
  return request.received ?? request.spoken?.target ?? request.url ?? '/';
}
