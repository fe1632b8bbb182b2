/**
 * The contract by family and by kind, derived from the modules of `contract.ts`. Each kind has an interface, so that
 * its name, and not its members, appears in the types of consumers.
 */
import * as modules from './contract.ts';
import type { ErrorsOfFamilies } from './errors/error-name.ts';
import { isOfKind, type ProcedureKind } from './operation/by-kind.ts';
import type { AnyOperation, OperationKind, OperationOfKind } from './operation/operation.ts';
import { type OperationTree, walk } from './operation/tree.ts';
import type { ErrorEntries } from './wire/base-errors.ts';

type Modules = typeof modules;

/** A family as exported by its `operations.ts`. */
export interface Family {
  /** Operations by verb. Those below one verb are of one kind. */
  readonly operations: OperationTree<OperationOfKind<OperationKind>>;
  /** Errors that belong to this family; any operation can list them. */
  readonly errors?: ErrorEntries;
  /** The place among families of its kind in documents and lists of commands; those without one follow by name. */
  readonly position?: number;
}

type KindOf<Node> = Node extends { readonly kind: infer Kind } ? Kind : KindOf<Node[keyof Node]>;

/** The operations of a family that are of a kind: the family's own object where all of them are. */
type MembersOfKind<Operations, Kind extends OperationKind> =
  KindOf<Operations> extends Kind
    ? Operations
    : { readonly [Verb in keyof Operations as KindOf<Operations[Verb]> extends Kind ? Verb : never]: Operations[Verb] };

/** Operations of a kind by family and verb. */
type FamiliesOfKind<Kind extends OperationKind> = {
  readonly [Name in keyof Modules as Extract<KindOf<Modules[Name]['operations']>, Kind> extends never
    ? never
    : Name]: MembersOfKind<Modules[Name]['operations'], Kind>;
};

/** The advertising interface by resource and verb. */
export interface Contract extends FamiliesOfKind<'ads'> {}

/** The operator's procedures. */
export interface OperatorContract extends FamiliesOfKind<'operator'> {}

/** The control of worlds. */
export interface ControlContract extends FamiliesOfKind<'control'> {}

/** The endpoints of authentication. */
export interface AuthContract extends FamiliesOfKind<'auth'> {}

/** Data retrieval. */
export interface DataContract extends FamiliesOfKind<'data'> {}

/** The upload of media. */
export interface UploadContract extends FamiliesOfKind<'upload'> {}

/** Everything that `createClient` has a method for. */
export interface ClientContract extends FamiliesOfKind<'ads' | 'data' | 'upload'> {}

/** The pages of the three-legged flow. */
export interface PageContract extends FamiliesOfKind<'page'> {}

/** Everything that is a tRPC procedure and a command. */
export interface FullContract extends FamiliesOfKind<ProcedureKind> {}

const families: readonly (readonly [name: string, family: Family])[] = Object.entries<Family>(modules).sort(
  ([, one], [, other]) => positionOf(one) - positionOf(other),
);

// Entries of a module are ordered by name, and sorting keeps that order where positions are equal.
function positionOf({ position = Number.MAX_SAFE_INTEGER }: Family): number {
  return position;
}

function familiesOfKind<Kind extends OperationKind>(kind: Kind): FamiliesOfKind<Kind>;
function familiesOfKind(kind: OperationKind): object {
  return Object.fromEntries(
    families.flatMap(([name, { operations }]) => {
      const verbs = Object.entries(operations);
      const ofKind = verbs.filter(([, node]) => walk(node).every(isOfKind(kind)));
      if (ofKind.length === 0) return [];
      return [[name, ofKind.length === verbs.length ? operations : Object.fromEntries(ofKind)]];
    }),
  );
}

export const contract: Contract = familiesOfKind('ads');
export const operatorContract: OperatorContract = familiesOfKind('operator');
export const controlContract: ControlContract = familiesOfKind('control');
export const authContract: AuthContract = familiesOfKind('auth');
export const dataContract: DataContract = familiesOfKind('data');
export const uploadContract: UploadContract = familiesOfKind('upload');
export const pageContract: PageContract = familiesOfKind('page');

/** The operations of a kind, in the order of the contract. */
function operationsOfKind<Kind extends OperationKind>(kind: Kind): readonly OperationOfKind<Kind>[] {
  return families.flatMap(([, { operations }]) => walk(operations)).filter(isOfKind(kind));
}

/** The operations of the advertising interface. */
export const allOperations = operationsOfKind('ads');

/** The operator's operations. */
export const allOperatorOperations = operationsOfKind('operator');

/** The control of worlds. */
export const allControlOperations = operationsOfKind('control');

/** The endpoints of authentication. */
export const allAuthOperations = operationsOfKind('auth');

/** The operations of data retrieval. */
export const allDataOperations = operationsOfKind('data');

/** The steps of uploading media. */
export const allUploadOperations = operationsOfKind('upload');

/** All pages. */
export const allPages = operationsOfKind('page');

/** All operations that a program calls by id. */
export const operationById: ReadonlyMap<string, AnyOperation> = new Map(
  [
    allOperations,
    allOperatorOperations,
    allControlOperations,
    allAuthOperations,
    allDataOperations,
    allUploadOperations,
  ]
    .flat()
    .map((operation) => [operation.id, operation]),
);

type Leaves<Node> = Node extends AnyOperation
  ? Node
  : Node extends object
    ? { [K in keyof Node]: Leaves<Node[K]> }[keyof Node]
    : never;

/** The union of all operations in the contract. */
export type ContractOperation = Leaves<FullContract>;

/** An operation by its id. */
export type OperationOf<Id extends ContractOperation['id']> = Extract<ContractOperation, { id: Id }>;

function errorsOfFamilies(): ErrorsOfFamilies;
function errorsOfFamilies(): object {
  return Object.assign({}, ...families.map(([, { errors }]) => errors));
}

/** The errors of all families. */
export const familyErrors: ErrorsOfFamilies = errorsOfFamilies();
