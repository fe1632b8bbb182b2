/** How requests and statements fail. */

/** The request breaks the protocol: HTTP 400, and the stream is gone. */
export class ProtocolError extends Error {}

/** A statement failed: an error result in the answer. */
export class StatementError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The stream of the baton was closed for inactivity: HTTP 500 with a code, as `sqld` has it. */
export class StreamExpiredError extends Error {}
