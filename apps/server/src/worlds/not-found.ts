/** What the control says of worlds and snapshots that are not there. Requests name ids; a name in the place of an id is told which it is. */
import { nearestName, show } from '@broadside/core';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The issue of a world that is not there. @param all the worlds of the server */
export function noSuchWorld(all: readonly Named[], value: string, parameter = 'world_id') {
  const message =
    hintOf(all, value, 'world') ??
    `This server has no world ${show(value)}${nearHint(all, value)}: it may have been deleted, or its time to live is over`;
  return { error: 'WORLD_NOT_FOUND', parameter, value, message } as const;
}

/** The issue of a snapshot that is not there. @param all those among which it was looked for @param of whose they are */
export function noSuchSnapshot(all: readonly Named[], value: string, of: string, parameter = 'snapshot_id') {
  const message = hintOf(all, value, 'snapshot') ?? `${of} has no snapshot ${show(value)}; it has ${listOf(all)}`;
  return { error: 'SNAPSHOT_NOT_FOUND', parameter, value, message } as const;
}

function hintOf(all: readonly Named[], value: string, what: string): string | undefined {
  const [id, ...others] = all.flatMap(({ id: own, name }) => (name === value ? [own] : []));
  if (id === undefined) return undefined;
  if (others.length > 0)
    return `${show(value)} is the name of several ${what}s; give an id: ${[id, ...others].join(', ')}`;
  return `${show(value)} is the name of a ${what}; its id is ${id}`;
}

/** Among more worlds no hint is given: ids are random, so one that was not meant would be near by chance. */
const MOST_LOOKED_AT = 1000;
/** The greatest edit distance, for the same reason. */
const SLIPS = 2;

/** The world that a mistyped id or name probably means, by both. */
function nearHint(all: readonly Named[], value: string): string {
  if (all.length > MOST_LOOKED_AT) return '';
  const names = all.flatMap(({ id, name }) => [id, name]);
  const near = nearestName(value, names, SLIPS);
  const meant = all.find(({ id, name }) => near === id || near === name);
  return meant === undefined ? '' : ` (did you mean ${nameOf(meant)}?)`;
}

/** Snapshots that are named where another one is asked for. */
const MOST_NAMED = 20;

function listOf(all: readonly Named[]): string {
  if (all.length === 0) return 'none';
  return all.slice(0, MOST_NAMED).map(nameOf).join(', ') + (all.length > MOST_NAMED ? ', ...' : '');
}

function nameOf({ id, name }: Named): string {
  return id === name ? id : `${id}, called ${show(name)}`;
}
