/** Reading response bodies of unknown types. */

/** A member of an object that came over the wire. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the id of the entity in a response. @throws Error when there is none */
export function idOf(body: unknown): string {
  const id = member(member(body, 'data'), 'id');
  if (typeof id !== 'string') throw new Error(`no entity in ${JSON.stringify(body, bigintAsText)}`);
  return id;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
