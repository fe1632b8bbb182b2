/** People who do something: those of the world who have not done it yet, and further ones that are generated. */
import type { Reject } from '@broadside/core';
import type { Actor } from '../../../db/change-log.ts';
import { NameTakenError } from '../../../identity/identity-writes.ts';
import { Pace } from '../../../pace.ts';
import { type Random, randomText } from '../../../world/random.ts';
import type { World } from '../../../world/world.ts';

/** The people whom an action asks for. */
export interface CrowdParams {
  readonly count?: number | undefined;
  readonly user_ids?: readonly string[] | undefined;
}

/** The people who did something. */
interface Crowd {
  readonly user_ids: string[];
  readonly generated: number;
}

/** People of the world who are looked at for one action, the first to join first. */
const LOOKED_AT = 5000;

/** Something that people do, in the world as it is inside of the write. */
interface Deed {
  /** Returns whether a person can still do it. */
  readonly isLeft: (inside: World, user_id: string) => Promise<boolean>;
  /** Does it for a person. What it throws ends the write of all. */
  readonly run: (inside: World, user_id: string) => Promise<unknown>;
}

interface CrowdContext {
  readonly world: World;
  readonly actor: Actor;
  readonly reject: Reject<'NOT_FOUND'>;
}

/**
 * Has people do something, all of them or none.
 * @param without people who do not take part unless they are named
 */
export function haveDone(
  { world, actor, reject }: CrowdContext,
  { count = 1, user_ids }: CrowdParams,
  deed: Deed,
  without: ReadonlySet<string> = new Set(),
): Promise<Crowd> {
  return world.jointly([], async (inside) => {
    const pace = new Pace();
    const done: string[] = [];
    const known = await inside.identity.users.firstToJoin(LOOKED_AT);
    for (const id of user_ids ?? []) {
      if (!(await inside.identity.users.get(id))) {
        throw reject.error({ error: 'NOT_FOUND', parameter: 'user_ids', value: id, message: `There is no user ${id}` });
      }
      await deed.run(inside, id);
      done.push(id);
      await pace.step();
    }
    if (user_ids) return { user_ids: done, generated: 0 };
    for (const id of known) {
      if (done.length === count) break;
      if (!without.has(id) && (await deed.isLeft(inside, id))) {
        await deed.run(inside, id);
        done.push(id);
      }
      await pace.step();
    }
    const generated = count - done.length;
    while (done.length < count) {
      const id = await newPerson(inside, actor);
      await deed.run(inside, id);
      done.push(id);
      await pace.step();
    }
    return { user_ids: done, generated };
  });
}

/** Letters and digits of which names of generated people are made. */
const NAME = 'abcdefghijklmnopqrstuvwxyz0123456789';

async function newPerson(world: World, actor: Actor): Promise<string> {
  for (;;) {
    const screen_name = nameOf(world.random);
    try {
      const { id } = await world.identity.users.create(actor, { screen_name, name: screen_name, password: null });
      return id;
    } catch (error) {
      // In the random names of a large world one can come twice.
      if (!(error instanceof NameTakenError)) throw error;
    }
  }
}

function nameOf(random: Random): string {
  return `person_${randomText(random, 8, NAME)}`;
}
