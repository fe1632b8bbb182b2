import { stringifyJson } from '../wire/json.ts';

/** Returns a value after a change: null removes it, and `undefined` leaves it unchanged. */
export function changed<Value>(current: Value | null, change: Value | null | undefined): Value | null {
  return change === undefined ? current : change;
}

/**
 * Returns the changes that change anything. Clients send back all that they loaded: what merely restates a value must pass rules
 * that have become stricter, or whose circumstances have changed, since the value was stored.
 */
export function changesOf<Changes extends object>(current: object, changes: Changes): Partial<Changes> {
  const asked = { ...changes };
  for (const name in asked) {
    if (Object.hasOwn(current, name) && isSame(Reflect.get(current, name), asked[name])) delete asked[name];
  }
  return asked;
}

/** Returns whether a request changes anything. */
export function changesAnything(current: object, changes: object): boolean {
  return Object.values(changesOf(current, changes)).some((value) => value !== undefined);
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return typeof one === 'object' && typeof other === 'object' && stringifyJson(one) === stringifyJson(other);
}
