/** What the control says of worlds and snapshots that are not there. Requests name ids; a name in the place of an id is told which it is. */
import { show } from '@broadside/core';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The issue of a world that is not there. @param all the worlds of the server */
export function noSuchWorld(all: readonly Named[], value: string, parameter = 'world_id') {
  const message =
    hintOf(all, value, 'world') ??
    `This server has no world ${show(value)}: it may have been deleted, or its time to live is over`;
  return { error: 'WORLD_NOT_FOUND', parameter, value, message } as const;
}

/** The issue of a snapshot that is not there. @param all those among which it was looked for @param of whose they are */
export function noSuchSnapshot(all: readonly Named[], value: string, of: string, parameter = 'snapshot_id') {
  const message = hintOf(all, value, 'snapshot') ?? `${of} has no snapshot ${show(value)}`;
  return { error: 'SNAPSHOT_NOT_FOUND', parameter, value, message } as const;
}

function hintOf(all: readonly Named[], value: string, what: string): string | undefined {
  const [id, ...others] = all.flatMap(({ id: own, name }) => (name === value ? [own] : []));
  if (id === undefined) return undefined;
  if (others.length > 0)
    return `${show(value)} is the name of several ${what}s; give an id: ${[id, ...others].join(', ')}`;
  return `${show(value)} is the name of a ${what}; its id is ${id}`;
}
