import { type ControlContract, formatTimestamp, type OutcomeOf, show } from '@broadside/core';
import { checkEnds, checkFault } from '@broadside/core/resources/control/faults';
import type { Rule } from '../../faults/rule.ts';
import { MAX_RULES } from '../../faults/world-faults.ts';
import type { HandlersOf, WorldContext } from '../../pipeline/context.ts';
import { everyOperation } from './operations.ts';
import { checkMatched } from './ruled-calls.ts';

type Operations = ControlContract['control']['faults'];
type Shown = OutcomeOf<Operations['get']>;

/** Operations on the faults of a world. */
export const faults: HandlersOf<Operations> = {
  async create({ world, reject }, { match, effect, times, until, ttl_seconds }) {
    const rule = { match, effect, times, until, ttl_seconds };
    reject.check(checkFault(rule, everyOperation));
    reject.check(checkEnds(rule, { world_ms: world.clock.now(), limits_ms: world.limitsClock.now() }));
    reject.check(await checkMatched(world, match ?? {}));
    if (world.faults.list().length >= MAX_RULES) {
      const message = `A world has up to ${MAX_RULES} rules, with those that do not fire any more; delete some first`;
      throw reject.error({ error: 'QUOTA_EXCEEDED', message });
    }
    return shown(world, await world.faults.create(rule));
  },

  list: ({ world }) => world.faults.list().map((rule) => shown(world, rule)),

  get({ world, reject }, { fault_id }) {
    const rule = world.faults.get(fault_id);
    if (!rule) throw reject.error(noSuchRule(world, fault_id));
    return shown(world, rule);
  },

  async delete({ world, reject }, { fault_id }) {
    const rule = await world.faults.delete(fault_id);
    if (!rule) throw reject.error(noSuchRule(world, fault_id));
    return { ...shown(world, rule), active: false };
  },

  async clear({ world }) {
    const rules = await world.faults.clear();
    return rules.map((rule) => ({ ...shown(world, rule), active: false }));
  },
};

function shown({ faults: rules }: WorldContext['world'], rule: Rule): Shown {
  const { match, effect, times, until_ms, created_ms } = rule.row;
  return {
    id: rule.id,
    match,
    effect,
    times,
    until: until_ms === null ? null : formatTimestamp(until_ms),
    created_at: formatTimestamp(created_ms),
    matched: rule.matched,
    fired: rule.fired,
    active: rules.isActive(rule),
  };
}

/** Rules that are named where another one is asked for. */
const MOST_NAMED = 20;

function noSuchRule({ faults: rules }: WorldContext['world'], value: string) {
  const ids = rules.list().map(({ id }) => id);
  const has =
    ids.length === 0 ? 'none' : ids.slice(0, MOST_NAMED).join(', ') + (ids.length > MOST_NAMED ? ', ...' : '');
  const message = `The world has no rule of faults ${show(value)}; it has ${has}`;
  return { error: 'FAULT_NOT_FOUND', parameter: 'fault_id', value, message } as const;
}
