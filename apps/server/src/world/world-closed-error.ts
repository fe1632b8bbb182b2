/** Work was cut off because its world closes. It has not failed: a job stays due, and the next start runs it. */
export class WorldClosedError extends Error {
  override readonly name = 'WorldClosedError';
}
