/** All operations, grouped by resource. Adding a resource to the interface is adding a line here. */
import type { AnyOperation, AuthOperation, Operation, OperatorOperation, PageOperation } from './operation/define.ts';
import { accounts } from './resources/accounts/operations.ts';
import { campaigns } from './resources/campaigns/operations.ts';
import { features } from './resources/features/operations.ts';
import { funding_instruments } from './resources/funding-instruments/operations.ts';
import { line_items } from './resources/line-items/operations.ts';
import { oauth, oauth2, oauthPages } from './resources/oauth/operations.ts';
import { admin } from './resources/operator/operations.ts';

const operations = { accounts, features, funding_instruments, campaigns, line_items };
const operatorOperations = { admin };
const authOperations = { oauth, oauth2 };

/** The advertising interface by resource and verb. An interface, so that its name stands for it in types. */
export interface Contract extends Readonly<typeof operations> {}

/** The operator's procedures. */
export interface OperatorContract extends Readonly<typeof operatorOperations> {}

/** The endpoints of authentication. */
export interface AuthContract extends Readonly<typeof authOperations> {}

/** Everything, as the tRPC router and the command line see it. */
export interface FullContract extends Contract, OperatorContract {}

export const contract: Contract = operations;
export const operatorContract: OperatorContract = operatorOperations;
export const authContract: AuthContract = authOperations;

/** The pages of the three-legged flow. */
export const pages: Readonly<typeof oauthPages> = oauthPages;

/** A tree whose leaves are operations. */
export interface OperationTree {
  readonly [name: string]: AnyOperation | OperationTree;
}

/** Whether a node of the contract is an operation. */
export function isOperation(node: AnyOperation | OperationTree): node is AnyOperation {
  return typeof node['id'] === 'string';
}

/** All operations below a node, in the order of the contract. Every derived face walks the contract through this. */
export function walk(node: AnyOperation | OperationTree): AnyOperation[] {
  return isOperation(node) ? [node] : Object.values(node).flatMap(walk);
}

/** Whether an operation is an endpoint of authentication. */
export function isAuthOperation(operation: AnyOperation): operation is AuthOperation {
  return operation.envelope === 'form' || operation.envelope === 'object';
}

/** The operations of the advertising interface. */
export const allOperations: readonly Operation[] = walk({ ...contract }).filter(
  (operation): operation is Operation => operation.http !== null && operation.access.auth === 'user',
);

/** The operator's operations. */
export const allOperatorOperations: readonly OperatorOperation[] = walk({ ...operatorContract }).filter(
  (operation) => operation.http === null,
);

/** The endpoints of authentication. */
export const allAuthOperations: readonly AuthOperation[] = walk({ ...authContract }).filter(isAuthOperation);

/** All pages. */
export const allPages: readonly PageOperation[] = Object.values(pages);

/** Any operation by its id. */
export const operationById: ReadonlyMap<string, AnyOperation> = new Map(
  [...allOperations, ...allOperatorOperations, ...allAuthOperations].map((operation) => [operation.id, operation]),
);

type Leaves<Node> = Node extends AnyOperation
  ? Node
  : Node extends object
    ? { [K in keyof Node]: Leaves<Node[K]> }[keyof Node]
    : never;

/** The union of all operations of the contract. */
export type ContractOperation = Leaves<FullContract>;

/** An operation by its id. */
export type OperationOf<Id extends ContractOperation['id']> = Extract<ContractOperation, { id: Id }>;
