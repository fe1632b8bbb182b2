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

/** A request to the control, of an operation. */
interface ControlRequest<Answer> extends Pick<RequestInit, 'method' | 'body'> {
  readonly operation: string;
  /** Below the address of the control, with its query. */
  readonly target: string;
  readonly contentType?: string;
  readonly read: (response: Response) => Promise<Answer>;
}

/** Sends a request as the operator, and reads what it is answered. @throws ControlError where nothing is */
export async function askControl<Answer>(
  { url, operatorToken, fetch }: ControlAddress,
  { operation, target, contentType, read, ...init }: ControlRequest<Answer>,
): Promise<Answer> {
  const type = contentType === undefined ? {} : { 'content-type': contentType };
  const headers = { authorization: `Bearer ${operatorToken}`, ...type };
  try {
    return await read(await fetch(`${url}${target}`, { ...init, headers }));
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new ControlError(operation, 0, [], `${operation} got no answer from ${url}: ${reason}`, error);
  }
}

/** The error of a request that was rejected. @param errors those of the answer */
export function rejectionOf(operation: string, status: number, errors: unknown): ControlError {
  const known = Array.isArray(errors) ? errors.filter(isWireError) : [];
  const said = known.map(({ code, message }) => `\n  ${code}: ${message}`).join('');
  return new ControlError(operation, status, known, `${operation} was rejected with ${status}${said}`);
}

async function callControl(address: ControlAddress, operation: AnyOperation, params: object): Promise<unknown> {
  const { id } = operation;
  const input = JSON.stringify(wireTransformer.serialize(params));
  const target = `/trpc/${id}`;
  const { status, body } = await askControl(address, {
    operation: id,
    ...(isRead(operation)
      ? { target: `${target}?input=${encodeURIComponent(input)}` }
      : { target, method: 'POST', contentType: 'application/json', body: input }),
    read: readJson,
  });
  if (isMembers(body) && isMembers(body['result'])) return wireTransformer.deserialize(body['result']['data']);
  const error = isMembers(body) ? wireTransformer.deserialize(body['error']) : undefined;
  const data = isMembers(error) ? error['data'] : undefined;
  throw rejectionOf(id, status, isMembers(data) ? data['errors'] : undefined);
}

async function readJson(response: Response): Promise<{ readonly status: number; readonly body: unknown }> {
  return { status: response.status, body: await response.json() };
}

function isWireError(value: unknown): value is WireError {
  return isMembers(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}

/** Returns whether a value is an object with members. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
