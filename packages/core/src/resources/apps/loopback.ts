/**
 * Callback URLs of command-line programs that log in on the user's own machine: several ports, to be tried in order, in
 * case another program already uses one. An app registers those that it wants to allow, exactly as they are here.
 */
export const loopbackCallbacks = [
  'http://127.0.0.1:48731/callback',
  'http://127.0.0.1:48732/callback',
  'http://127.0.0.1:48733/callback',
] as const;
