/** Trees of operations: resource, verb, operation; the operator's have one level more. */
import type { AnyOperation, OperationKind, OperationOfKind } from './operation.ts';

/** A tree whose leaves are operations. */
export interface OperationTree<Leaf extends OperationOfKind<OperationKind> = AnyOperation> {
  readonly [name: string]: Leaf | OperationTree<Leaf>;
}

/** Returns whether a node of the contract is an operation. */
export function isOperation<Leaf extends OperationOfKind<OperationKind>>(
  node: Leaf | OperationTree<Leaf>,
): node is Leaf {
  return typeof node['id'] === 'string';
}

/**
 * Yields all operations below a node, in the order of the contract. Every derived adapter walks the contract with this.
 */
export function walk<Leaf extends OperationOfKind<OperationKind>>(node: Leaf | OperationTree<Leaf>): Leaf[] {
  return isOperation<Leaf>(node) ? [node] : Object.values(node).flatMap((child) => walk<Leaf>(child));
}
