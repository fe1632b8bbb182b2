/** Returns the id of media, with which their key ends (reference, conventions section 3). */
export function mediaIdOf(media_key: string): string {
  return media_key.slice(media_key.indexOf('_') + 1);
}
