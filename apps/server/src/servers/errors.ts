/** Why a process cannot be, or is not at the moment, one of the servers of a platform. Each message is one line for the operator. */

/** The platform has other servers, or may have, and this one would not fit them. */
export class SeveralServersError extends Error {
  override readonly name = 'SeveralServersError';
}

/** The process does not hold its number at the moment, so nothing is written. It takes one again by itself. */
export class LeaseEndedError extends Error {
  override readonly name = 'LeaseEndedError';
  constructor(cause?: unknown) {
    super(
      'This server could not tell the platform store in time that it is alive, so it writes nothing until it has.',
      {
        cause,
      },
    );
  }
}

/** Something is done by another server of the platform only. */
export class ElsewhereError extends Error {
  override readonly name = 'ElsewhereError';
}
