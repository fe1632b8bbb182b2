/** What keeps a server from doing something with a world. */

/** There are as many worlds as there may be. */
export class TooManyWorldsError extends Error {
  override readonly name = 'TooManyWorldsError';
}

/** There is no world or snapshot of an id. */
export class UnknownWorldError extends Error {
  override readonly name: string = 'UnknownWorldError';
}

/** A snapshot was deleted before it could be read. */
export class UnknownSnapshotError extends UnknownWorldError {
  override readonly name = 'UnknownSnapshotError';
}

/** How the default world began was not kept. */
export class UnknownOriginError extends Error {
  override readonly name = 'UnknownOriginError';
}

/** The default world cannot be replaced. The message is a sentence for its operator. */
export class NotReplaceableError extends Error {
  override readonly name = 'NotReplaceableError';
}

/** Calls that are under way in a world did not end in time. */
export class CallsUnderWayError extends Error {
  override readonly name = 'CallsUnderWayError';
}

/** A world is being replaced or deleted. */
export class WorldBusyError extends Error {
  override readonly name = 'WorldBusyError';
}
