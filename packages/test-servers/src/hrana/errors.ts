/** Errors of requests and statements. */

/** The request violates the protocol: HTTP 400, and the stream is closed. */
export class ProtocolError extends Error {}

/** A statement failed: an error result in the response. */
export class StatementError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The stream of the baton was closed for inactivity: HTTP 500 with a code, as in `sqld`. */
export class StreamExpiredError extends Error {}
