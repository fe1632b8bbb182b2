/** Calls of the control of a server: a method for each operation of the contract, so that new ones appear by themselves. */
import {
  type AnyOperation,
  type ControlContract,
  controlContract,
  type InputOf,
  isOperation,
  isRead,
  type OperationTree,
  type OutcomeOf,
  type WireError,
} from '@broadside/core';
import { wireTransformer } from '@broadside/core/trpc';

/** The parameter that names a world. */
type OfWorld = { readonly world_id: string };

/** A method of the control: parameters may be left out where none is required. */
type Method<Input, Result> =
  Record<never, never> extends Input ? (params?: Input) => Promise<Result> : (params: Input) => Promise<Result>;

/** A part of the control as methods. */
type ControlMethods<Node> = {
  readonly [Name in keyof Node]: Node[Name] extends AnyOperation
    ? Method<InputOf<Node[Name]>, OutcomeOf<Node[Name]>>
    : ControlMethods<Node[Name]>;
};

/** A part of the control as methods of one world, which they therefore do not name. */
type WorldMethods<Node> = {
  readonly [Name in keyof Node]: Node[Name] extends AnyOperation
    ? Method<Omit<InputOf<Node[Name]>, keyof OfWorld>, OutcomeOf<Node[Name]>>
    : WorldMethods<Node[Name]>;
};

/** The control of a server. */
export type Control = ControlMethods<ControlContract['control']>;

/** All of the control that is about one world, but for the worlds themselves. */
export type WorldControl = WorldMethods<Omit<ControlContract['control'], 'worlds'>>;

/** A call that a server rejected, or did not answer. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** The operation, such as `control.worlds.fork`. */
  readonly operation: string;
  /** Status of the answer; 0 where none came. */
  readonly status: number;
  readonly errors: readonly WireError[];

  constructor(operation: string, status: number, errors: readonly WireError[], message: string, cause?: unknown) {
    super(message, { cause });
    this.operation = operation;
    this.status = status;
    this.errors = errors;
  }
}

/** Where the control listens, and the token that opens it. */
export interface ControlAddress {
  readonly url: string;
  readonly operatorToken: string;
  readonly fetch: typeof globalThis.fetch;
}

/** The control of a server as methods. */
export function controlOf(address: ControlAddress): Control {
  return methodsOf<Control>(controlContract.control, (operation, params) => callControl(address, operation, params));
}

/** The control of one world as methods. */
export function worldControlOf(address: ControlAddress, world_id: string): WorldControl {
  return methodsOf<WorldControl>(controlContract.control, (operation, params) =>
    callControl(address, operation, { ...params, world_id }),
  );
}

type Call = (operation: AnyOperation, params: object) => Promise<unknown>;

function methodsOf<Methods>(tree: OperationTree, call: Call): Methods;
function methodsOf(tree: OperationTree, call: Call): object {
  return Object.fromEntries(
    Object.entries(tree).map(([name, node]) => [
      name,
      isOperation(node) ? (params: object = {}) => call(node, params) : methodsOf(node, call),
    ]),
  );
}

async function callControl(
  { url, operatorToken, fetch }: ControlAddress,
  operation: AnyOperation,
  params: object,
): Promise<unknown> {
  const { id } = operation;
  const input = JSON.stringify(wireTransformer.serialize(params));
  const headers = { authorization: `Bearer ${operatorToken}` };
  const address = `${url}/trpc/${id}`;
  let response: Response;
  let body: unknown;
  try {
    response = isRead(operation)
      ? await fetch(`${address}?input=${encodeURIComponent(input)}`, { headers })
      : await fetch(address, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: input,
        });
    body = await response.json();
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new ControlError(id, 0, [], `${id} got no answer from ${url}: ${reason}`, error);
  }
  if (isMembers(body) && isMembers(body['result'])) return wireTransformer.deserialize(body['result']['data']);
  const errors = errorsIn(isMembers(body) ? wireTransformer.deserialize(body['error']) : undefined);
  const said = errors.map(({ code, message }) => `\n  ${code}: ${message}`).join('');
  throw new ControlError(id, response.status, errors, `${id} was rejected with ${response.status}${said}`);
}

function errorsIn(error: unknown): readonly WireError[] {
  const data = isMembers(error) ? error['data'] : undefined;
  const errors = isMembers(data) ? data['errors'] : undefined;
  return Array.isArray(errors) ? errors.filter(isWireError) : [];
}

function isWireError(value: unknown): value is WireError {
  return isMembers(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
