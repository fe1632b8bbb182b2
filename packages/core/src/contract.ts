/** All operations, grouped by resource. Adding a resource to the interface is adding a line here. */
import type {
  AnyOperation,
  AuthOperation,
  DataOperation,
  Operation,
  OperatorOperation,
  PageOperation,
  UploadOperation,
} from './operation/define.ts';
import { account_apps } from './resources/account-apps/operations.ts';
import { account_history } from './resources/account-history/operations.ts';
import { accounts } from './resources/accounts/operations.ts';
import { advertiser_business_categories } from './resources/advertiser-business-categories/operations.ts';
import { audience_estimate } from './resources/audience-estimate/operations.ts';
import { bidding_rules } from './resources/bidding-rules/operations.ts';
import { campaigns } from './resources/campaigns/operations.ts';
import { content_categories } from './resources/content-categories/operations.ts';
import { curated_categories } from './resources/curated-categories/operations.ts';
import { features } from './resources/features/operations.ts';
import { funding_instruments } from './resources/funding-instruments/operations.ts';
import { iab_categories } from './resources/iab-categories/operations.ts';
import { line_item_curated_categories } from './resources/line-item-curated-categories/operations.ts';
import { line_items } from './resources/line-items/operations.ts';
import { media, media_v1 } from './resources/media/operations.ts';
import { media_creatives } from './resources/media-creatives/operations.ts';
import { oauth, oauth2, oauthPages } from './resources/oauth/operations.ts';
import { admin } from './resources/operator/operations.ts';
import { posts } from './resources/posts/operations.ts';
import { promotable_users } from './resources/promotable-users/operations.ts';
import { promoted_accounts } from './resources/promoted-accounts/operations.ts';
import { promoted_posts } from './resources/promoted-posts/operations.ts';
import { publishers } from './resources/publishers/operations.ts';
import { targeting_criteria } from './resources/targeting-criteria/operations.ts';
import { targeting_options } from './resources/targeting-options/operations.ts';
import { authenticated_user_access, user_access } from './resources/user-access/operations.ts';

const operations = {
  accounts,
  features,
  funding_instruments,
  campaigns,
  line_items,
  promotable_users,
  promoted_posts,
  promoted_accounts,
  media_creatives,
  account_apps,
  line_item_curated_categories,
  account_history,
  authenticated_user_access,
  user_access,
  targeting_criteria,
  curated_categories,
  advertiser_business_categories,
  content_categories,
  iab_categories,
  publishers,
  bidding_rules,
  targeting_options,
  audience_estimate,
};
const operatorOperations = { admin };
const authOperations = { oauth, oauth2 };
const dataOperations = { posts };
const uploadOperations = { media, media_v1 };

/** The advertising interface by resource and verb. An interface, so that its name stands for it in types. */
export interface Contract extends Readonly<typeof operations> {}

/** The operator's procedures. */
export interface OperatorContract extends Readonly<typeof operatorOperations> {}

/** The endpoints of authentication. */
export interface AuthContract extends Readonly<typeof authOperations> {}

/** Data retrieval. */
export interface DataContract extends Readonly<typeof dataOperations> {}

/** The upload of media. */
export interface UploadContract extends Readonly<typeof uploadOperations> {}

/** Everything, as the tRPC router and the command line see it. */
export interface FullContract extends Contract, DataContract, OperatorContract {}

export const contract: Contract = operations;
export const operatorContract: OperatorContract = operatorOperations;
export const authContract: AuthContract = authOperations;
export const dataContract: DataContract = dataOperations;
export const uploadContract: UploadContract = uploadOperations;

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

/** All operations below a node, in the order of the contract. Every derived adapter walks the contract through this. */
export function walk(node: AnyOperation | OperationTree): AnyOperation[] {
  return isOperation(node) ? [node] : Object.values(node).flatMap(walk);
}

/** Whether an operation is an endpoint of authentication. */
export function isAuthOperation(operation: AnyOperation): operation is AuthOperation {
  return operation.envelope === 'form' || operation.envelope === 'object';
}

/** Whether an operation is one of the advertising interface. */
export function isAdsOperation(operation: AnyOperation): operation is Operation {
  return operation.http !== null && operation.access.auth === 'user';
}

/** The operations of the advertising interface. */
export const allOperations: readonly Operation[] = walk({ ...contract }).filter(isAdsOperation);

/** The operator's operations. */
export const allOperatorOperations: readonly OperatorOperation[] = walk({ ...operatorContract }).filter(
  (operation) => operation.http === null,
);

/** The endpoints of authentication. */
export const allAuthOperations: readonly AuthOperation[] = walk({ ...authContract }).filter(isAuthOperation);

/** Whether an operation is one of data retrieval. */
export function isDataOperation(operation: AnyOperation): operation is DataOperation {
  return operation.envelope === 'lookup';
}

/** The operations of data retrieval. */
export const allDataOperations: readonly DataOperation[] = walk({ ...dataContract }).filter(isDataOperation);

/** Whether an operation is a step of uploading media. */
export function isUploadOperation(operation: AnyOperation): operation is UploadOperation {
  return operation.access.auth === 'uploader';
}

/** The steps of uploading media. */
export const allUploadOperations: readonly UploadOperation[] = walk({ ...uploadContract }).filter(isUploadOperation);

/** All pages. */
export const allPages: readonly PageOperation[] = Object.values(pages);

/** Any operation by its id. */
export const operationById: ReadonlyMap<string, AnyOperation> = new Map(
  [...allOperations, ...allOperatorOperations, ...allAuthOperations, ...allDataOperations, ...allUploadOperations].map(
    (operation) => [operation.id, operation],
  ),
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
