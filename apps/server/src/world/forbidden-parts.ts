/** Parts of a world that are not to be used in some places: whoever asks for one there learns why. */

/** Those whose state is in the memory of the main thread. */
const mainThreadOnly = [
  'audience',
  'insights',
  'members',
  'memberships',
  'processing',
  'audienceWork',
  'hashDoctor',
  'jobs',
  'publications',
  'deletions',
  'appDeletions',
  'time',
] as const;

/** Those that know nothing of a write that is not committed. */
const outsideOnly = ['audience', 'insights', 'members', 'memberships', 'audienceWork', 'hashDoctor'] as const;

/** Forbids what a thread that only reads does not have. */
export function forbidInReaders(world: Readonly<Record<(typeof mainThreadOnly)[number], unknown>>): void {
  for (const name of mainThreadOnly)
    forbid(world, name, 'is in the main thread only; its handlers have to say so: inMainThread');
}

/** Forbids what does not see the write that a world is inside of. */
export function forbidInWrites(inside: Readonly<Record<(typeof outsideOnly)[number], unknown>>): void {
  for (const name of outsideOnly)
    forbid(inside, name, 'follows what is committed, so it is not to be asked inside a write');
}

function forbid(world: object, name: string, why: string): void {
  Object.defineProperty(world, name, {
    get: () => {
      throw new TypeError(`world.${name} ${why}`);
    },
  });
}
