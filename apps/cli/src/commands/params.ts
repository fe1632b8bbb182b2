/** From flags and JSON to the parameters of an operation. */
import {
  type AnyOperation,
  type ByKind,
  type CallableKind,
  dispatch,
  type ReadParams,
  readLookup,
  readParams,
} from '@broadside/core';
import { type Entity, isEntity } from '../columns.ts';
import type { Invocation, Positional } from '../command.ts';
import { UsageError } from '../errors.ts';
import { kebab } from '../flag.ts';
import { parseInput, readInput } from '../input.ts';
import { flagName } from '../output.ts';
import { ACCOUNT_PARAMETER, type Parameter, positionalParameters } from '../parameters.ts';
import { didYouMean } from '../suggest.ts';

/** Parameters by name. */
export type Params = Readonly<Record<string, unknown>>;

/** The positional arguments, such as one for the last parameter of the path: `campaigns get 8wku2`. */
export function positionalOf(operation: AnyOperation): Positional[] {
  return positionalParameters(operation).map((name) => ({
    name: kebab(name),
    description: '',
    required: false,
    standsFor: kebab(name),
  }));
}

/** Reads what the command line gives. Flags win over JSON. @throws UsageError */
export async function readGiven(
  operation: AnyOperation,
  parameters: readonly Parameter[],
  call: Invocation,
): Promise<Params> {
  const { io, flags, words } = call;
  const input = await readInput(io, flags);
  const params: Record<string, unknown> = fromJson(operation, parameters, input);
  for (const { name, flag, json } of parameters) {
    const text = flag && flags.text(flag.name);
    // A list in which nothing is given is empty.
    if (flag?.separate && text !== undefined) params[name] = flags.all(flag.name)?.filter((value) => value !== '');
    else if (text !== undefined) params[name] = json ? parseInput(text, flagName(name)) : text;
  }
  for (const [place, subject] of positionalParameters(operation).entries()) {
    const word = words[place];
    if (word === undefined) continue;
    if (flags.has(kebab(subject)) && params[subject] !== word) {
      throw new UsageError(`${flagName(subject)} and the word "${word}" name different things; give one of them`);
    }
    params[subject] = word;
  }
  return params;
}

function fromJson(operation: AnyOperation, parameters: readonly Parameter[], input: unknown): Record<string, unknown> {
  if (input === undefined) return {};
  // The items of a batch are the body, as the interface itself takes them. So may be the one list that no flag can hold.
  const bare = parameters.find(({ flag }) => !flag);
  if (bare && Array.isArray(input)) return { [bare.name]: input };
  if (bare && isEntity(input) && isBare(operation, parameters, input)) return { [bare.name]: input };
  if (isEntity(input)) return { ...input };
  throw new UsageError(
    operation.batch
      ? 'The JSON must be an array of {"operation_type", "params"} objects'
      : 'The JSON must be an object of parameters by name',
  );
}

/** Returns whether an object is the one parameter that no flag can hold: it names no parameter itself. */
function isBare(operation: AnyOperation, parameters: readonly Parameter[], input: Entity): boolean {
  const bare = parameters.filter(({ flag }) => !flag);
  if (operation.batch || bare.length !== 1) return false;
  const names = Object.keys(input);
  return names.length > 0 && !names.some((name) => parameters.some((one) => one.name === name));
}

const readers: ByKind<CallableKind, [Params], ReadParams> = {
  ads: readByNames,
  operator: readByNames,
  control: readByNames,
  auth: readByNames,
  data: (operation, params) => readLookup(operation.params, params),
  upload: readByNames,
};

/** Reads everything except the items of a batch, whose errors the server reports at their index. */
function readByNames({ params: schema, batch, exclusive }: AnyOperation, params: Params): ReadParams {
  const { operations: _items, ...scalars } = params;
  return readParams(schema, batch ? scalars : params, exclusive);
}

/**
 * Validates parameters against the contract before sending, so that all errors are reported at once, in the words of the
 * server. What depends on the server's data is left to it.
 * @param hints where what is missing can be found, by parameter
 * @throws UsageError
 */
export function checkParams(
  operation: AnyOperation,
  parameters: readonly Parameter[],
  params: Params,
  hints: Readonly<Record<string, string>> = {},
): void {
  const missing = parameters.filter(({ name, required }) => required && params[name] === undefined);
  const { issues } = dispatch(readers, operation, params);
  const names = parameters.map(({ name }) => name);
  const wrong = issues.flatMap((issue) => {
    const { parameter = '', message = '' } = issue;
    if (!names.includes(parameter)) {
      const near = didYouMean(parameter, names);
      return [`"${parameter}" is not a parameter of ${operation.id}${near ? `; ${near}` : ''}`];
    }
    if (params[parameter] === undefined || (operation.batch && parameter === 'operations')) return [];
    return [`${flagName(parameter)}: ${inFlags(message, parameter)}`];
  });
  if (missing.length === 0 && wrong.length === 0) return;
  const list = missing.map(({ name, flag }) =>
    flag ? `${flagName(name)} <${flag.hint}>` : `--file <file> (the ${name}, as JSON)`,
  );
  const lines = [
    ...wrong,
    ...(wrong.length > 0 && list.length > 0 ? [`missing: ${list.join(', ')}`] : list),
    ...(missing.some(({ name }) => name === ACCOUNT_PARAMETER)
      ? ['(the credentials in use name no default account)']
      : []),
    ...missing.flatMap(({ name }) => hints[name] ?? []),
    `broadside ${commandWords(operation).join(' ')} --help describes them.`,
  ];
  const [first] = wrong;
  if (first === undefined)
    throw new UsageError(list.length === 1 ? 'A required flag is missing:' : 'Required flags are missing:', lines);
  throw new UsageError('The parameters are not valid:', lines);
}

/** The words of the command of an operation. Those on a world are its commands; all else in worlds is beside them. */
export function commandWords({ kind, id }: AnyOperation): string[] {
  const words = id.split('.').map(kebab);
  if (kind !== 'control') return words;
  const [family = '', ...rest] = words.slice(1);
  return [family === 'worlds' ? 'world' : family, ...rest];
}

/** Returns the server's message without the name of the parameter, for lines that begin with its flag. */
export function inFlags(message: string, parameter: string): string {
  return message.replace(new RegExp(` for ${parameter}(?=;|$)`), '');
}
