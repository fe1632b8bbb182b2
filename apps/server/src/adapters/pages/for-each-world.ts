/** What pages keep for each world. */
import type { World } from '../../world/world.ts';

/** Finds what is kept for a world. */
interface ForEachWorld<Made> {
  (world: World): Made;
  /** All that is in use. */
  readonly made: () => readonly Made[];
}

/** Keeps something for each world of which a page is asked for, as long as that is open. */
export function forEachWorld<Made extends object>(make: (world: World) => Made): ForEachWorld<Made> {
  const known = new WeakMap<World, Made>();
  let all: readonly WeakRef<Made>[] = [];
  const of = (world: World): Made => {
    const found = known.get(world);
    if (found) return found;
    const made = make(world);
    known.set(world, made);
    all = [...all.filter((one) => one.deref() !== undefined), new WeakRef(made)];
    return made;
  };
  return Object.assign(of, { made: () => all.flatMap((one) => one.deref() ?? []) });
}
