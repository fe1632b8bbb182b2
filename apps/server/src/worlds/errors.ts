/** What keeps a server from doing something with a world. */

/** There are as many worlds as there may be. */
export class TooManyWorldsError extends Error {
  override readonly name = 'TooManyWorldsError';
}

/** There is no world or snapshot of an id. */
export class UnknownWorldError extends Error {
  override readonly name = 'UnknownWorldError';
}

/** A world is being replaced or deleted. */
export class WorldBusyError extends Error {
  override readonly name = 'WorldBusyError';
}
