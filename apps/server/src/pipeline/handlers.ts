import type { AnyOperation } from '@broadside/core';
import type { UntypedHandler } from './execute.ts';

/** Finds handlers in a tree of them by the dotted ids of their operations. */
export function handlerFinder(handlers: object): (operation: AnyOperation) => UntypedHandler {
  const found = new WeakMap<AnyOperation, UntypedHandler>();
  return (operation) => {
    const known = found.get(operation);
    if (known) return known;
    const handler = find(handlers, operation);
    found.set(operation, handler);
    return handler;
  };
}

function find(handlers: object, operation: AnyOperation): UntypedHandler {
  let node: unknown = handlers;
  for (const name of operation.id.split('.')) node = isTree(node) ? node[name] : undefined;
  if (!isHandler(node)) throw new TypeError(`no handler for ${operation.id}`);
  return node;
}

function isTree(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null;
}

// `HandlersOf` has made sure that each leaf takes what its operation's schema gives and returns what its envelope says.
function isHandler(node: unknown): node is UntypedHandler {
  return typeof node === 'function';
}
