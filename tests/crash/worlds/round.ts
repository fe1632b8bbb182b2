/**
 * Kills while worlds, the default one among them, are forked, changed, snapshotted, restored, reset and deleted. Each actor works on a world of its own, one request
 * after the other, so its model is exact: what was acknowledged, and the one request without an answer, which took effect wholly or
 * not at all.
 */
import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from '@broadside/server';
import { campaignNames, createCampaign } from '../../../apps/server/src/worlds/testing/signed.ts';
import { ServerProcess } from '../../src/support/server-process.ts';
import { type Chance, chanceOf } from '../session.ts';

const ACTORS = 3;
/** The id of the world that nobody made, on which one actor more works. */
const DEFAULT = 'default';
/** Snapshots that an actor keeps. */
const MOST_SNAPSHOTS = 3;

/** A state of a world: the names of its campaigns. */
type Names = readonly string[];

/** A world as its actor knows it. */
interface KnownWorld {
  readonly id: string;
  readonly began: Names;
  names: Names;
  readonly snapshots: Map<string, Names>;
  /** States in which the request without an answer may have left it; `deleted` where it may be gone. */
  possible: readonly (Names | 'deleted')[];
}

/** Worlds over the rounds of one data directory. */
export interface Play {
  readonly directory: string;
  readonly worlds: Map<string, KnownWorld>;
}

/** Results of a round. */
export interface Figures {
  readonly acknowledged: number;
  readonly underWay: number;
  /** Worlds that were made by a request without an answer. */
  readonly unknown: number;
}

/** Sends requests to the control of one server. */
class Control {
  readonly #url: string;
  readonly #token: string;

  constructor(directory: string) {
    const server: { control_url: string } = JSON.parse(readFileSync(path.join(directory, 'server.json'), 'utf8'));
    this.#url = server.control_url;
    this.#token = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
  }

  /** @throws TypeError when the server is gone */
  async call<Data>(method: string, target: string, body?: object): Promise<Data> {
    const response = await fetch(`${this.#url}${target}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', connection: 'close' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    assert.equal(response.status, 200, `${method} ${target}: ${text}`);
    const { data }: { data: Data } = JSON.parse(text);
    return data;
  }
}

interface InUse {
  readonly id: string;
  readonly credentials: Credentials;
}

/** Begins a play on an empty directory. */
export function beginPlay(directory: string): Play {
  return { directory, worlds: new Map() };
}

/**
 * Plays one round.
 * @param env settings of the server, and what is loaded into it
 * @throws AssertionError when something is lost, half done or left behind
 */
export async function playRound(play: Play, seed: number, env: Record<string, string> = {}): Promise<Figures> {
  const chance = chanceOf(seed);
  const server = await ServerProcess.start(play.directory, { BROADSIDE_LOG_LEVEL: 'error', ...env });
  const control = new Control(play.directory);
  const figures = { acknowledged: 0, underWay: 0, unknown: 0 };
  try {
    figures.unknown = await check(play, control);
    const owned = [...play.worlds.values()].filter(({ id }) => id !== DEFAULT);
    const acting = Array.from({ length: ACTORS }, (_, place) =>
      act(play, control, { chance, tag: `${seed}.${place}`, figures, world: owned[place] }),
    );
    acting.push(act(play, control, { chance, tag: `${seed}.d`, figures, world: await defaultWorld(play, control) }));
    const ended = Promise.all(acting).then(() => true);
    // A slow machine may take long until the first request is acknowledged.
    while (figures.acknowledged === 0 && !(await Promise.race([sleep(10, false), ended])));
    await sleep(300 + chance() * 2000);
    await server.end('SIGKILL');
    await Promise.all(acting);
  } catch (error) {
    if (error instanceof assert.AssertionError) error.message += loggedErrors(server);
    throw error;
  } finally {
    await server.end('SIGKILL');
  }
  return figures;
}

/** What the server has logged of errors, which says more of a 500 than its response. */
function loggedErrors(server: ServerProcess): string {
  const errors = server.stdout.split('\n').filter((line) => line.includes('"level":50'));
  return errors.map((line) => `\nlogged: ${line}`).join('');
}

/** Starts a server once more, holds everything against what is known, and stops it. */
export async function endPlay(play: Play): Promise<void> {
  const server = await ServerProcess.start(play.directory);
  try {
    await check(play, new Control(play.directory));
  } finally {
    await server.end('SIGTERM');
  }
}

/** The default world, which is there when the first server has started. */
async function defaultWorld(play: Play, control: Control): Promise<KnownWorld> {
  const known = play.worlds.get(DEFAULT);
  if (known) return known;
  const { credentials } = await control.call<InUse>('GET', `/worlds/${DEFAULT}`);
  const names = await campaignNames(credentials);
  const found: KnownWorld = { id: DEFAULT, began: names, names, snapshots: new Map(), possible: [names] };
  play.worlds.set(DEFAULT, found);
  return found;
}

interface Acting {
  readonly chance: Chance;
  readonly tag: string;
  readonly figures: { acknowledged: number; underWay: number };
  /** One that exists already. */
  readonly world: KnownWorld | undefined;
}

/** Works until the server is gone. */
async function act(play: Play, control: Control, { chance, tag, figures, world: first }: Acting): Promise<void> {
  let world = first;
  for (let turn = 0; ; turn++) {
    if (world) world.possible = [world.names];
    try {
      world = await step(play, control, world, chance, `${tag}.${turn}`);
      figures.acknowledged++;
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      figures.underWay++;
      return;
    }
  }
}

async function step(
  play: Play,
  control: Control,
  world: KnownWorld | undefined,
  chance: Chance,
  tag: string,
): Promise<KnownWorld | undefined> {
  if (!world) {
    const { id, credentials } = await control.call<InUse>('POST', '/worlds/default/fork', { name: tag });
    const names = await campaignNames(credentials);
    const made: KnownWorld = { id, began: names, names, snapshots: new Map(), possible: [names] };
    play.worlds.set(id, made);
    return made;
  }
  const { id } = world;
  const roll = chance();
  const [kept] = [...world.snapshots].slice(Math.floor(chance() * world.snapshots.size));
  if (roll < 0.45) {
    const { credentials } = await control.call<InUse>('GET', `/worlds/${id}`);
    const after = [...world.names, tag].sort();
    world.possible = [world.names, after];
    assert.equal((await createCampaign(credentials, tag)).status, 200);
    world.names = after;
  } else if (roll < 0.6 && world.snapshots.size < MOST_SNAPSHOTS) {
    const { names } = world;
    const taken = await control.call<{ id: string }>('POST', `/worlds/${id}/snapshots`, { name: tag });
    world.snapshots.set(taken.id, names);
  } else if (roll < 0.8 && kept) {
    const [snapshot_id, names] = kept;
    world.possible = [world.names, names];
    await control.call('POST', `/worlds/${id}/restore`, { snapshot_id });
    world.names = names;
  } else if (roll < 0.9) {
    world.possible = [world.names, world.began];
    await control.call('POST', `/worlds/${id}/reset`, {});
    world.names = world.began;
  } else if (id !== DEFAULT) {
    world.possible = [world.names, 'deleted'];
    await control.call('DELETE', `/worlds/${id}`);
    play.worlds.delete(id);
    return undefined;
  }
  return world;
}

/** Holds all worlds against what is known. @returns the number of worlds that nobody was told of */
async function check(play: Play, control: Control): Promise<number> {
  const listed = new Set((await control.call<readonly InUse[]>('GET', '/worlds')).map(({ id }) => id));
  for (const known of [...play.worlds.values()]) {
    if (!listed.has(known.id)) {
      assert(known.possible.includes('deleted'), `the world ${known.id} is gone`);
      play.worlds.delete(known.id);
      continue;
    }
    const { credentials } = await control.call<InUse>('GET', `/worlds/${known.id}`);
    const names = await campaignNames(credentials);
    const isPossible = known.possible.some((state) => state !== 'deleted' && state.join() === names.join());
    assert(isPossible, `${known.id} has ${names.join()} and not one of ${JSON.stringify(known.possible)}`);
    known.names = names;
    known.possible = [names];
    const snapshots = await control.call<readonly { id: string }[]>('GET', `/worlds/${known.id}/snapshots`);
    for (const id of known.snapshots.keys())
      assert(
        snapshots.some((one) => one.id === id),
        `the snapshot ${id} is gone`,
      );
  }
  const others = [...listed].filter((id) => id !== DEFAULT && !play.worlds.has(id));
  for (const id of others) {
    // Whole, though nobody was told of it.
    const { credentials } = await control.call<InUse>('GET', `/worlds/${id}`);
    await campaignNames(credentials);
    await control.call('DELETE', `/worlds/${id}`);
  }
  // Cleared after the start, beside the first requests.
  while (existsSync(path.join(play.directory, 'replacing'))) await sleep(20);
  for (const folder of ['worlds', 'exports']) {
    const left = namesIn(path.join(play.directory, folder)).filter((name) => !play.worlds.has(name));
    assert.deepEqual(left, [], `left behind in ${folder}`);
  }
  return others.length;
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
