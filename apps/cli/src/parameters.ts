/** The parameters of an operation as flags: names, values, defaults and words are the contract's. */
import { type AnyOperation, descriptionOf, fieldsOfAny, innerType, variantsOf, wireTypeOf } from '@broadside/core';
import { type Flag, kebab } from './flag.ts';

/** A schema of the contract. */
export type Schema = AnyOperation['data'];

/** One parameter of an operation. */
export interface Parameter {
  /** Its name on the wire. */
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Its flag on the command line; `undefined` if only JSON can express it, such as the items of a batch. */
  readonly flag: Flag | undefined;
  /** Whether the value of its flag is JSON. */
  readonly json?: true;
}

/** Marks a default that the session knows: the account of the credentials. */
export const ACCOUNT_PARAMETER = 'account_id';

/** Never on the command line where others see it, if it can be helped; asked for when left out. */
export const SECRET_PARAMETER = 'password';

/** The parameters of an operation in the contract's order, those of the path first. */
export function parametersOf(operation: AnyOperation): Parameter[] {
  const inPath = pathParameters(operation);
  const all = withJsonFlags(
    operation,
    membersOf(operation.params).map(([name, schema]) => parameterOf(operation, name, schema)),
  );
  return [...all.filter(({ name }) => inPath.includes(name)), ...all.filter(({ name }) => !inPath.includes(name))];
}

/** Several small objects, such as the two of a rule of faults, have flags that take JSON: they are written by hand. One alone is the JSON itself. */
function withJsonFlags({ kind }: AnyOperation, all: Parameter[]): Parameter[] {
  if (kind !== 'control' || all.filter(({ flag }) => !flag).length < 2) return all;
  return all.map((parameter): Parameter => {
    const { name, schema, required, flag } = parameter;
    if (flag) return parameter;
    const members = membersOf(innerType(schema) ?? schema).map(([member]) => member);
    const description = `${descriptionOf(schema) ?? ''} An object as JSON, of ${members.join(', ')}.`;
    return {
      name,
      schema,
      required,
      json: true,
      flag: { name: kebab(name), kind: 'text', hint: 'json', description, required },
    };
  });
}

/** The members of an object schema, or of all kinds of a union of objects; none for any other. */
export function membersOf(schema: Schema): (readonly [name: string, schema: Schema])[] {
  const variants = variantsOf(schema);
  if (variants) return [...fieldsOfAny(variants.schemas)];
  if (!('shape' in schema) || typeof schema.shape !== 'object' || schema.shape === null) return [];
  return Object.entries(schema.shape).flatMap(([name, member]: [string, unknown]) =>
    isSchema(member) ? [[name, member] as const] : [],
  );
}

/** The schema of the elements of a member that is a list; `undefined` where it is none. */
export function elementOf(schema: Schema, name: string): Schema | undefined {
  const [, list] = membersOf(schema).find(([member]) => member === name) ?? [];
  return list && 'element' in list && isSchema(list.element) ? list.element : undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'safeParse' in value;
}

/** The names in an operation's path. */
export function pathParameters(operation: AnyOperation): string[] {
  return [...(operation.http?.path ?? '').matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

/** The parameter that ends the path: what the call is about, so it may be given as a plain word. */
export function subjectOf(operation: AnyOperation): string | undefined {
  return /\/:(\w+)$/.exec(operation.http?.path ?? '')?.[1];
}

/** The parameter that names a world. */
export const WORLD_PARAMETER = 'world_id';

/** The parameters that may be given as plain words, in their order: what the call is about, and in a world that world and what of it. */
export function positionalParameters(operation: AnyOperation): string[] {
  const subject = subjectOf(operation);
  const inPath = pathParameters(operation);
  if (operation.kind !== 'control' || !inPath.includes(WORLD_PARAMETER)) return subject === undefined ? [] : [subject];
  // Also where the path goes on behind it: `journal code <call-id>`.
  const last = inPath.at(-1);
  if (last !== undefined && last !== WORLD_PARAMETER) return [last];
  return [WORLD_PARAMETER, ...membersOf(operation.params).flatMap(([name]) => (name === 'snapshot_id' ? [name] : []))];
}

function parameterOf(operation: AnyOperation, name: string, schema: Schema): Parameter {
  const wire = wireTypeOf(schema);
  const required = schema.def.type !== 'optional' && schema.def.type !== 'default';
  if (!wire || wire.kind === 'items') return { name, schema, required, flag: undefined };
  const others = (operation.exclusive ?? [])
    .filter((pair) => pair.includes(name))
    .flatMap((pair) => pair.filter((one) => one !== name));
  const notes = [
    descriptionOf(schema) ?? '',
    ...(wire.removable && !/\bempty\b/i.test(descriptionOf(schema) ?? '') ? ['Empty to remove.'] : []),
    ...others.map((other) => `Not together with --${kebab(other)}.`),
  ];
  const fallback = defaultOf(schema);
  const separate = wire.kind === 'list' && isUrls(name);
  if (separate) notes.push('Once for each.');
  const flag: Flag = {
    name: kebab(name),
    kind: wire.kind === 'boolean' ? 'boolean' : wire.kind === 'list' ? 'list' : 'text',
    hint: hintOf(name, wire.kind, wire.values),
    description: notes.filter((note) => note !== '').join(' '),
    required,
    ...(wire.values ? { values: wire.values } : {}),
    ...(separate ? { separate } : {}),
    ...(wire.kind === 'boolean' ? { negatable: true } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
  return { name, schema, required, flag };
}

/** Addresses may hold commas, which separate the values of all other lists. */
export function isUrls(name: string): boolean {
  return name.endsWith('_urls');
}

/** Up to this length, the values themselves are the placeholder. */
const SHORT_VALUES = 24;

function hintOf(
  name: string,
  kind: NonNullable<ReturnType<typeof wireTypeOf>>['kind'],
  values: readonly string[] | undefined,
): string {
  const joined = values?.join('|') ?? '';
  switch (kind) {
    case 'enum':
      return joined.length <= SHORT_VALUES ? joined : 'value';
    case 'list':
      if (isUrls(name)) return 'url';
      return values ? 'value,...' : /(^|_)ids$/.test(name) ? 'id,...' : 'text,...';
    case 'long':
    case 'int':
      return 'number';
    case 'time':
      return 'time';
    default:
      return /(^|_)id$/.test(name) ? 'id' : 'text';
  }
}

function defaultOf(schema: Schema): string | undefined {
  if (schema.def.type !== 'default' || !('defaultValue' in schema.def)) {
    const inner = innerType(schema);
    return inner && defaultOf(inner);
  }
  const { defaultValue } = schema.def;
  return defaultValue === undefined || typeof defaultValue === 'object' ? undefined : String(defaultValue);
}
