/**
 * Behaviour that differs by the kind of an operation is written as a record with a member for each kind, so that an
 * unhandled kind does not compile.
 */
import type { OperationKind, OperationOfKind, OperationsByKind } from './operation.ts';

/** A function for each of these kinds; `Rest` are its parameters after the operation. */
export type ByKind<Kind extends OperationKind, Rest extends readonly unknown[], Result> = {
  readonly [K in Kind]: (operation: OperationsByKind[K], ...rest: Rest) => Result;
};

/** Operations of these kinds, in a form that relates an operation's type to its kind. */
type Discriminated<Kind extends OperationKind> = {
  readonly [K in Kind]: OperationsByKind[K] & { readonly kind: K };
}[Kind];

/** Calls the function for the operation's kind. */
export function dispatch<Kind extends OperationKind, Rest extends readonly unknown[], Result>(
  byKind: ByKind<Kind, Rest, Result>,
  operation: Discriminated<Kind>,
  ...rest: Rest
): Result {
  return byKind[operation.kind](operation, ...rest);
}

/** Returns a predicate that tests whether an operation is of one of these kinds: for `filter`. */
export function isOfKind<Kind extends OperationKind>(
  ...kinds: readonly Kind[]
): (operation: OperationOfKind<OperationKind>) => operation is OperationOfKind<Kind> {
  return (operation): operation is OperationOfKind<Kind> => kinds.some((kind) => kind === operation.kind);
}

/** By kind: whether its operations are tRPC procedures and commands. */
export const isProcedure = {
  ads: true,
  operator: true,
  control: true,
  auth: false,
  data: true,
  upload: false,
  page: false,
} as const satisfies Readonly<Record<OperationKind, boolean>>;

/** The kinds of operations that are tRPC procedures and commands. */
export type ProcedureKind = {
  [Kind in OperationKind]: (typeof isProcedure)[Kind] extends true ? Kind : never;
}[OperationKind];
