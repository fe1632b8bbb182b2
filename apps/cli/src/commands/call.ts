/** Commands made from the contract: one for each operation of a kind that has commands. */
import {
  type AnyOperation,
  type ByKind,
  descriptionOf,
  dispatch,
  errorCode,
  isOperation,
  isProcedure,
  isRead,
  type Operation,
  type OperationOfKind,
  type OperationTree,
  type ProcedureKind,
  stringifyJson,
  wireTypeOf,
} from '@broadside/core';
import type { Command, Example, Group, Invocation, Node } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import { type FlagSection, kebab } from '../flag.ts';
import { inputFlags } from '../input.ts';
import { prettyJson } from '../json.ts';
import { Output, outputFlags } from '../output.ts';
import {
  ACCOUNT_PARAMETER,
  type Parameter,
  parametersOf,
  pathParameters,
  positionalParameters,
  SECRET_PARAMETER,
  WORLD_PARAMETER,
} from '../parameters.ts';
import { openSession, type Session, withAccount } from '../session.ts';
import { shellWord } from '../text.ts';
import { adminFlags, runAdmin } from './admin.ts';
import { printAnswer, rawRequest } from './answer.ts';
import { controlFlags, replacesWorld, runControl, takesAccountOfCredentials, takesWorldInUse } from './control.ts';
import { limitOf, pagingFlags } from './limit.ts';
import { lookupFlags, runLookup } from './lookup.ts';
import { checkParams, type Params, positionalOf, readGiven } from './params.ts';

/** The commands of a part of the contract. A node is built when it is first looked at. */
export function contractCommands(tree: OperationTree, words: readonly string[] = []): [string, Node][] {
  return Object.entries(tree).flatMap(([name, node]): [string, Node][] => {
    const word = kebab(name);
    const own = [...words, word];
    if (!isOperation(node)) return [[word, groupOf(node, own)]];
    // `login` and `logout` are what a person does with the endpoints of authentication.
    return hasCommand(node) ? [[word, lazyCommand(node, own)]] : [];
  });
}

function groupOf(tree: OperationTree, words: readonly string[]): Group {
  const children = new Map(contractCommands(tree, words));
  return { kind: 'group', words, summary: [...children.keys()].join(', '), children };
}

/** An operation with a command of its own. */
type CommandOperation = OperationOfKind<ProcedureKind>;

function hasCommand(operation: AnyOperation): operation is CommandOperation {
  return isProcedure[operation.kind];
}

function lazyCommand(operation: CommandOperation, words: readonly string[]): Node {
  return { kind: 'lazy', words, summary: operation.summary, load: () => operationCommand(operation, words) };
}

/** The command of an operation. */
export function operationCommand(operation: CommandOperation, words: readonly string[]): Command {
  const parameters = parametersOf(operation);
  const positionals = positionalOf(operation);
  const flags = parameters.flatMap(({ flag, name }) => (flag ? [presented(operation, name, flag)] : []));
  const isList = operation.envelope === 'list';
  const sections: FlagSection[] = [
    { title: 'Required', flags: flags.filter(({ required }) => required) },
    ...(needsJson(operation) ? [inputOf(parameters)] : []),
    { title: 'Optional', flags: flags.filter(({ required }) => !required) },
    ...(isList ? [pagingFlags] : []),
    ...(isRead(operation) || needsJson(operation) ? [] : [inputOf(parameters)]),
    ...dispatch(lastSections, operation, parameters),
  ];
  return {
    kind: 'command',
    words,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    positionals,
    sections: sections.filter((section) => section.flags.length > 0),
    ...(parameters.some(({ flag, required }) => !flag && required) ? { needs: '--file <file>' } : {}),
    examples: examplesOf(operation, words, parameters),
    facts: factsOf(operation),
    run: (call) => dispatch(runners, operation, parameters, call),
  };
}

/** Flags of output and connection by kind. */
const lastSections: ByKind<ProcedureKind, [readonly Parameter[]], readonly FlagSection[]> = {
  ads: (operation) => [outputFlags(operation.data, { many: givesMany(operation), raw: true }), connectionFlags],
  operator: operatorSections,
  control: (operation, parameters) => [
    outputFlags(operation.data, { many: givesMany(operation), raw: false }),
    controlFlags(parameters),
  ],
  data: lookupFlags,
};

function operatorSections(operation: CommandOperation, parameters: readonly Parameter[]): readonly FlagSection[] {
  return [outputFlags(operation.data, { many: givesMany(operation), raw: false }), adminFlags(parameters)];
}

const runners: ByKind<ProcedureKind, [readonly Parameter[], Invocation], Promise<void>> = {
  ads: runOperation,
  operator: runAdmin,
  control: async (operation, parameters, call) => {
    await runControl(operation, parameters, call);
  },
  data: runLookup,
};

/** Returns whether credentials can determine the account of a call. */
const hasAccountOfCredentials: Readonly<Record<ProcedureKind, boolean>> = {
  ads: true,
  operator: false,
  control: false,
  data: true,
};

function givesMany({ envelope }: CommandOperation): boolean {
  return envelope !== 'entity' && envelope !== 'message';
}

/** Returns whether a call has a parameter that only JSON can express. */
function needsJson(operation: CommandOperation): boolean {
  return operation.batch !== undefined || operation.body === 'json';
}

/** The parameters as JSON; the only way for those that no flag can hold. */
function inputOf(parameters: readonly Parameter[]): FlagSection {
  const bare = parameters.filter(({ flag }) => !flag);
  const [first] = bare;
  if (!first) return inputFlags('Parameters by name');
  const title = first.required ? 'Required, one of them' : 'Input';
  if (bare.length > 1) {
    const names = bare.map(({ name }) => name).join(' or ');
    const alone = wireTypeOf(first.schema)?.kind === 'items' ? `, or the ${first.name} alone,` : ',';
    return inputFlags(`Parameters by name, such as ${names}${alone}`, title);
  }
  const said = descriptionOf(first.schema);
  return inputFlags(`The ${first.name}${said ? ` (${said.replace(/\.$/, '')})` : ''}`, title);
}

/** The CLI's own knowledge about a parameter: defaults and other ways to set it. */
function presented<F extends { readonly required?: boolean; readonly description: string }>(
  operation: CommandOperation,
  name: string,
  flag: F,
): F {
  if (name === ACCOUNT_PARAMETER && hasAccountOfCredentials[operation.kind]) {
    return { ...flag, required: false, description: `${flag.description} Default: the account of the credentials.` };
  }
  if (name === ACCOUNT_PARAMETER && operation.kind === 'control') {
    if (!takesAccountOfCredentials(operation, parametersOf(operation))) return flag;
    const fallback = 'Default: the account of the credentials, in the world in use.';
    return { ...flag, required: false, description: `${flag.description} ${fallback}` };
  }
  if (name === WORLD_PARAMETER && operation.kind === 'control') {
    const isOptional = takesWorldInUse(operation, parametersOf(operation));
    const fallback = !isOptional
      ? ''
      : replacesWorld(operation)
        ? ' Default: the one in use; the default world has to be named.'
        : ' Default: the one in use.';
    return { ...flag, required: !isOptional, description: `The world, by id or name.${fallback}` };
  }
  if (name === SECRET_PARAMETER) {
    return {
      ...flag,
      required: false,
      description: `${flag.description} - ${flag.required ? 'reads it from stdin; asked for when left out.' : 'asks for it, or reads it from stdin.'}`,
    };
  }
  return flag;
}

function factsOf(operation: AnyOperation): (readonly [string, string])[] {
  const ofAccount = 'capability' in operation.access ? (['ACCOUNT_DELETED'] as const) : [];
  const errors = [...new Set([...ofAccount, ...operation.errors].map(errorCode))];
  return [
    ...(operation.http ? [['Request', `${operation.http.method} ${operation.http.path}`] as const] : []),
    ...(operation.sandboxOnly ? [['Only on', 'the sandbox, so --sandbox is understood'] as const] : []),
    ...(errors.length > 0 ? [['Errors', errors.join(', ')] as const] : []),
  ];
}

function examplesOf(operation: AnyOperation, words: readonly string[], parameters: readonly Parameter[]): Example[] {
  const given: Params = operation.example.params;
  const subjects = positionalParameters(operation);
  const parts = ['broadside', ...words];
  for (const name of subjects) if (given[name] !== undefined) parts.push(shellWord(String(given[name])));
  let file: Example['file'];
  const bare = Object.fromEntries(
    parameters.flatMap(({ name, flag }) => (flag || given[name] === undefined ? [] : [[name, given[name]]])),
  );
  const isAlone = Object.keys(bare).length === 1;
  for (const { name, flag, json } of parameters) {
    const value = given[name];
    if (value === undefined || subjects.includes(name) || name === SECRET_PARAMETER) continue;
    // The account has a default, so a first call need not name it.
    if (name === ACCOUNT_PARAMETER && pathParameters(operation).includes(name)) continue;
    if (!flag) {
      // Several are the members of one object.
      file ??= isAlone
        ? { name: `${name}.json`, text: prettyJson(value) }
        : { name: 'parameters.json', text: prettyJson(bare) };
      if (!parts.includes('--file')) parts.push('--file', file.name);
    } else if (json) {
      parts.push(`--${flag.name}`, shellWord(stringifyJson(value)));
    } else if (flag.separate && Array.isArray(value)) {
      for (const one of value) parts.push(`--${flag.name}`, shellWord(String(one)));
    } else if (flag.kind === 'boolean') {
      parts.push(value === false ? `--no-${flag.name}` : `--${flag.name}`);
    } else {
      parts.push(`--${flag.name}`, shellWord(Array.isArray(value) ? value.join(',') : String(value)));
    }
  }
  return [{ line: joined(parts), ...(file ? { file } : {}) }];
}

/** Flags stay beside their values; long lines are continued the way a shell reads them. */
function joined(parts: readonly string[]): string {
  const pieces: string[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    const isValue = !part.startsWith('--') && last?.startsWith('--') && !last.includes(' ');
    if (last !== undefined && (isValue || !last.startsWith('--')) && !part.startsWith('--'))
      pieces[pieces.length - 1] = `${last} ${part}`;
    else pieces.push(part);
  }
  const line = pieces.join(' ');
  return line.length <= 76 ? line : pieces.join(' \\\n  ');
}

async function runOperation(operation: Operation, parameters: readonly Parameter[], call: Invocation): Promise<void> {
  const { io, flags } = call;
  const output = await Output.open(io, flags, operation.data);
  const limit = operation.envelope === 'list' ? limitOf(flags, output) : undefined;
  const given = await readGiven(operation, parameters, call);
  const session = await openSession(io, flags, operation.sandboxOnly);
  const names = new Set(parameters.map(({ name }) => name));
  const params = names.has(ACCOUNT_PARAMETER) ? withAccount(given, session) : given;
  checkParams(operation, parameters, params);
  if (output.format === 'raw') return runRaw(operation, params, call, { session, output });
  if (operation.envelope === 'list') return runList(operation, params, { output, limit, client: session.client });
  const result = await session.client.call(operation, params);
  if (Array.isArray(result)) {
    const printed = output.many();
    await printed.page(result);
    await printed.end();
  } else await output.one(result);
}

interface Listing {
  readonly output: Output;
  readonly limit: number | undefined;
  readonly client: Session['client'];
}

async function runList(operation: Operation, params: Params, { output, limit, client }: Listing): Promise<void> {
  const printed = output.many();
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const page of client.list(operation, shortened(operation, params, left)).pages()) {
    if (page.total_count !== undefined) await output.say(`${page.total_count} in all`);
    const rows = page.data.slice(0, left);
    await printed.page(rows);
    left -= rows.length;
    if (limit === undefined) {
      await printed.end();
      if (page.next_cursor !== null)
        await output.say(
          `More follow: --all lists everything, --limit so many. The next page:\n  --cursor ${page.next_cursor}`,
        );
      return;
    }
    if (left <= 0) break;
  }
  await printed.end();
}

/** A page need not hold more than is wanted. */
function shortened(operation: Operation, params: Params, limit: number): Params {
  const usual = Number(parametersOf(operation).find(({ name }) => name === 'count')?.flag?.default);
  return params['count'] === undefined && limit < usual ? { ...params, count: limit } : params;
}

async function runRaw(
  operation: Operation,
  params: Params,
  { io }: Invocation,
  { session: { client }, output: { query } }: { readonly session: Session; readonly output: Output },
): Promise<void> {
  await printAnswer(io, await client.request(rawRequest(operation, params)), { include: false, pretty: true, query });
}
