/**
 * Callback URLs of programs on a person's own machine that log in from the command line: one port after the other, in case
 * another program has the first. An app registers those that it wants to allow, letter by letter as they stand here.
 */
export const loopbackCallbacks = [
  'http://127.0.0.1:48731/callback',
  'http://127.0.0.1:48732/callback',
  'http://127.0.0.1:48733/callback',
] as const;
