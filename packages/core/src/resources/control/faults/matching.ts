/** Which calls a rule concerns, as far as follows from the rule and the call. */
import type { AnyOperation } from '../../../operation/operation.ts';
import { isOffered, isRead } from '../../../operation/operation.ts';
import type { FaultMatch } from './params.ts';

/** The kinds of operations that faults befall: those of clients. Those of the operator stay usable, whatever rules there are. */
const faultyKinds: ReadonlySet<AnyOperation['kind']> = new Set(['ads', 'auth', 'data', 'upload']);

/** Returns whether faults can befall an operation. */
export function canFail({ kind }: Pick<AnyOperation, 'kind'>): boolean {
  return faultyKinds.has(kind);
}

/** Returns whether the answer of an operation has a body when its work is done. */
export function hasBody(operation: AnyOperation): boolean {
  return operation.kind !== 'upload' || operation.envelope !== 'nothing';
}

/** Returns whether an id matches a pattern, or is what it names. */
export function matchesId(pattern: string, id: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}

/** Returns whether a rule can concern calls of an operation. */
export function concerns(
  { operation: patterns, path, kind, environment, account, user }: FaultMatch,
  operation: AnyOperation,
): boolean {
  if (!canFail(operation)) return false;
  if (patterns !== undefined && !patterns.some((pattern) => matchesId(pattern, operation.id))) return false;
  if (kind !== undefined && (kind === 'read') !== isRead(operation)) return false;
  if (environment !== undefined && (operation.kind !== 'ads' || !isOffered(operation, environment))) return false;
  if (account !== undefined && !('capability' in operation.access)) return false;
  if (user !== undefined && !isOfUsers(operation)) return false;
  return path === undefined || pathsOf(operation).some((own) => canMeet(path, withAccount(own, account)));
}

/** Returns whether its caller can be a user. Most of authentication is called by apps, which have no user or none yet. */
function isOfUsers(operation: AnyOperation): boolean {
  return operation.kind !== 'auth' || operation.access.auth === 'access_token';
}

function withAccount(path: string, account: string | undefined): string {
  return account === undefined ? path : path.replace(/:account_id(?=\/|$)/, () => account);
}

/** Returns whether a rule concerns a path of an operation, with the values of its parameters. */
export function matchesPath(
  pattern: string,
  operation: AnyOperation,
  params: Readonly<Record<string, unknown>>,
): boolean {
  return pathsOf(operation).some((path) => {
    const filled = segmentsOf(path).map((segment) =>
      segment.startsWith(':') ? `${params[segment.slice(1)] ?? ''}` : segment,
    );
    return meets(segmentsOf(pattern), filled, (wanted, own) => wanted.startsWith(':') || wanted === own);
  });
}

function pathsOf({ http }: AnyOperation): readonly string[] {
  return http === null ? [] : [http.path, ...(http.aliases ?? [])];
}

/** Returns whether a pattern can match a path for some values of its parameters. */
function canMeet(pattern: string, path: string): boolean {
  return meets(
    segmentsOf(pattern),
    segmentsOf(path),
    (wanted, own) => wanted.startsWith(':') || own.startsWith(':') || wanted === own,
  );
}

function meets(
  pattern: readonly string[],
  path: readonly string[],
  equal: (wanted: string, own: string) => boolean,
): boolean {
  const isOpen = pattern.at(-1) === '*';
  const wanted = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? path.length < wanted.length : path.length !== wanted.length) return false;
  return wanted.every((segment, at) => equal(segment, path[at] ?? ''));
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** The counts by which a rule chooses among the calls that it concerns. */
interface Turn {
  /** The number of this call among them, from 1. */
  readonly number: number;
  /** From 0 up to 1, each equally likely. */
  readonly chance: number;
}

/** Returns whether there is a call whose turn it is. */
export function hasTurn({ every = 1, first, after = 0, probability }: FaultMatch): boolean {
  const number = (Math.floor(after / every) + 1) * every;
  return (first === undefined || number <= first) && probability !== 0;
}

/** Returns whether it is the turn of a call. */
export function isTurn({ every, first, after, probability }: FaultMatch, { number, chance }: Turn): boolean {
  if (every !== undefined && number % every !== 0) return false;
  if (first !== undefined && number > first) return false;
  if (after !== undefined && number <= after) return false;
  return probability === undefined || chance < probability;
}
