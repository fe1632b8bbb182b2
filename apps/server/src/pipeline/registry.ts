/** All handlers. An operation of the contract without one does not compile. */
import type { AnyOperation, AuthContract, FullContract, UploadContract } from '@broadside/core';
import { oauth, oauth2 } from '../oauth/handlers.ts';
import { accounts } from '../resources/accounts/handlers.ts';
import { campaigns } from '../resources/campaigns/handlers.ts';
import { features } from '../resources/features/handlers.ts';
import { funding_instruments } from '../resources/funding-instruments/handlers.ts';
import { line_items } from '../resources/line-items/handlers.ts';
import { media, media_v1 } from '../resources/media/handlers.ts';
import { admin } from '../resources/operator/handlers.ts';
import { posts } from '../resources/posts/handlers.ts';
import type { HandlersOf } from './context.ts';
import type { UntypedHandler } from './execute.ts';

const handlers: HandlersOf<FullContract> & HandlersOf<AuthContract> & HandlersOf<UploadContract> = {
  accounts,
  features,
  funding_instruments,
  campaigns,
  line_items,
  posts,
  admin,
  oauth,
  oauth2,
  media,
  media_v1,
};

const found = new WeakMap<AnyOperation, UntypedHandler>();

/** The handler of an operation. */
export function handlerOf(operation: AnyOperation): UntypedHandler {
  const known = found.get(operation);
  if (known) return known;
  const handler = find(operation);
  found.set(operation, handler);
  return handler;
}

function find(operation: AnyOperation): UntypedHandler {
  let node: unknown = handlers;
  for (const name of operation.id.split('.')) node = isTree(node) ? node[name] : undefined;
  if (!isHandler(node)) throw new TypeError(`no handler for ${operation.id}`);
  return node;
}

function isTree(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null;
}

// `HandlersOf` has proved that each leaf takes what its operation's schema gives and returns what its envelope says.
function isHandler(node: unknown): node is UntypedHandler {
  return typeof node === 'function';
}
