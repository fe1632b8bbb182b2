/**
 * A document and an exchange with the server, held against each other by Prism: it finds the operation, judges the request,
 * and validates the response by status, content type, headers and body. Requests are sent by us, because its own forwarding
 * follows redirects and rewrites bodies: it would never show a 303, and would spoil bytes and 64-bit numbers.
 */

import type { WireRequest } from '@broadside/testkit';
import { createLogger } from '@stoplight/prism-core';
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { type Json, strictly } from './document.ts';

/** A response as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Findings of the tester about an exchange. */
export interface Judgement {
  /** Violations of the document by the request. */
  readonly violations: readonly string[];
  /** Violations of the document by the response. */
  readonly differences: readonly string[];
}

type Instance = ReturnType<typeof createInstance>;
type Input = Parameters<Instance['request']>[0];
type Operations = Parameters<Instance['request']>[1];
interface Diagnostic {
  readonly code?: string | number;
  readonly message: string;
  readonly path?: readonly string[];
}

/** Sends a request. Redirects are not followed. */
export async function exchange({ method, url, headers, body }: WireRequest): Promise<WireAnswer> {
  const response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual' });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

/** Judges exchanges by one document, one after another. */
export class ContractTester {
  readonly #operations: Operations;
  readonly #prism: Instance;
  /** Response that Prism is given as the server's. */
  #answer: { readonly statusCode: number; readonly headers: Record<string, string>; readonly body: unknown };

  private constructor(operations: Operations) {
    this.#operations = operations;
    this.#answer = { statusCode: 0, headers: {}, body: '' };
    this.#prism = createInstance(
      {
        isProxy: true,
        // Nothing is sent there: see `forward`.
        upstream: new URL('http://127.0.0.1'),
        upstreamProxy: undefined,
        mock: { dynamic: false },
        validateRequest: true,
        validateResponse: true,
        // It does not know a scheme of the name OAuth. The responses show who is authorized.
        checkSecurity: false,
        // A request for which it finds no operation is an error.
        errors: true,
      },
      {
        logger: createLogger('contract', { level: 'silent' }),
        forward: () => () => async () => ({ _tag: 'Right', right: this.#answer }),
      },
    );
  }

  /** Makes a tester of a document, taken {@link strictly}. */
  static async of(document: Json): Promise<ContractTester> {
    const operations = await getHttpOperationsFromSpec(strictly(document));
    share(operations);
    return new ContractTester(operations);
  }

  /** Judges an exchange. @throws Error when the document has no operation for the request */
  async judge(request: WireRequest, { status, headers, text }: WireAnswer): Promise<Judgement> {
    this.#answer = {
      statusCode: status,
      headers: { ...headers },
      body: isJson(headers['content-type']) ? parsed(text) : text,
    };
    const asked = inputOf(request);
    const result = await this.#prism.request(asked, this.#candidates(asked))();
    if (result._tag === 'Left') throw result.left;
    const { input, output } = result.right.validations;
    return { violations: input.map(told), differences: output.map(told) };
  }

  /** The operations among which the tester finds that of a request, which it orders anew for each: those of its method and with as many segments. */
  #candidates({ method, url }: Input): Operations {
    const segments = (path: string) => path.split('/').length;
    const length = segments(url.path);
    return this.#operations.filter((one) => one.method === method && segments(one.path) === length);
  }
}

/** Merges equal schemas of bodies, headers of responses and parameters of paths, so that the tester compiles each once. */
function share(operations: Operations): void {
  type Operation = Operations[number];
  type Answer = Operation['responses'][number];
  const headers = merger<NonNullable<Answer['headers']>>();
  const parameters = merger<NonNullable<NonNullable<Operation['request']>['path']>>();
  const schemas = merger<NonNullable<NonNullable<Answer['contents']>[number]['schema']>>();
  for (const { request, responses } of operations) {
    if (request?.path) request.path = parameters(request.path, request.path.map(withoutId));
    for (const response of responses) {
      if (response.headers) response.headers = headers(response.headers, response.headers.map(withoutId));
      for (const content of response.contents ?? []) if (content.schema) content.schema = schemas(content.schema);
    }
  }
}

/** Returns a function that gives the first of parts that are equal, or are alike, in place of each of them. */
function merger<Part>(): (part: Part, alike?: unknown) => Part {
  const known = new Map<string, Part>();
  return (part, alike = part) => {
    // The tester gives each schema an id of its own.
    const text = JSON.stringify(alike, (name, value: unknown) => (name === 'x-stoplight' ? undefined : value));
    const first = known.get(text) ?? part;
    known.set(text, first);
    return first;
  };
}

function withoutId<Part extends { readonly id?: string }>({ id: _id, ...others }: Part) {
  return others;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** A request as the tester reads one. */
function inputOf({ method, url, headers, body }: WireRequest): Input {
  const known = methods.find((name) => name === method.toLowerCase());
  if (!known) throw new TypeError(`no document has ${method}`);
  const { pathname, searchParams } = new URL(url);
  // It reads only the boundaries of parts of bytes; their length must not be validated.
  const text = typeof body === 'string' ? body : body?.toString('latin1');
  return {
    method: known,
    url: { path: pathname, query: Object.fromEntries(searchParams) },
    headers: { ...headers, ...(text === undefined ? {} : { 'content-length': `${text.length}` }) },
    body: text !== undefined && isJson(headers['content-type']) ? parsed(text) : text,
  };
}

function isJson(type: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/.test(type ?? '');
}

/** Parses a body as JSON; a malformed one is validated as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function told({ code = 'status', message, path = [] }: Diagnostic): string {
  return `${path.join('.')}: ${message} (${code})`;
}
