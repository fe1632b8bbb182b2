/** Reads requests of tRPC: whether the endpoint accepts them, the procedures that they call, and the inputs of those. */
import type { IncomingHttpHeaders } from 'node:http';
import { jsonFaultMessage, type ReadJson, readJson, readPlainTexts } from '@broadside/core';
import { percentDecode } from '@broadside/core/auth';
import { wireTransformer } from '@broadside/core/trpc';
import { TRPCError } from '@trpc/server';
import { errorText } from '../../error-text.ts';
import type { Credentials } from '../../pipeline/credentials.ts';
import { isReading } from '../direct.ts';
import type { Scheme } from '../own-host.ts';
import { Unreadable } from './calls.ts';
import { isForeign } from './origin.ts';

/** Maximum number of calls in one HTTP request. */
export const MAX_CALLS = 50;

/**
 * Maximum number of values in the inputs of a request: our choice. The largest is a batch of 2,500 users with identifiers of all
 * kinds, which REST reads as a stream.
 */
const MAX_VALUES = 30_000;

/** The path of the endpoint. */
export const PREFIX = '/trpc/';

/** A request, as far as HTTP goes. */
export interface TrpcRequest {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string | undefined;
  /** The public base URL that the client signed. */
  readonly baseUrl: string;
  readonly foreignHost: Credentials['foreignHost'];
}

/** @throws TRPCError when the endpoint does not accept the request. */
export function checkRequest({ headers, method }: TrpcRequest, baseUrl: string | undefined, scheme: Scheme): void {
  if (isForeign(headers, baseUrl, scheme)) {
    throw new TRPCError({ code: 'FORBIDDEN', message: 'Pages of other origins may not use this interface' });
  }
  if (!isReading(method) && method !== 'POST') {
    throw new TRPCError({
      code: 'METHOD_NOT_SUPPORTED',
      message: 'Send queries with GET or POST, mutations with POST',
    });
  }
  if (method === 'POST' && !JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the input as application/json' });
  }
  const { accept } = headers;
  if (headers['trpc-accept'] === 'application/jsonl' || (accept !== undefined && STREAMED.test(accept))) {
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: 'Answers are not streamed here: use httpLink or httpBatchLink',
    });
  }
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const STREAMED = /(?:^|,)\s*(?:application\/jsonl|text\/event-stream)\s*(?:[;,]|$)/i;

/** @throws TRPCError when the path cannot be decoded, or names too many procedures. */
export function readPaths(target: string, batched: boolean): readonly string[] {
  const mark = target.indexOf('?');
  const encoded = target.slice(PREFIX.length, mark === -1 ? undefined : mark);
  const path = percentDecode(encoded);
  if (path === undefined) {
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: 'The path is not valid: each % needs two hex digits, and what they encode is UTF-8',
    });
  }
  const paths = batched ? path.split(',') : [path];
  if (paths.length > MAX_CALLS) {
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: `A batch holds up to ${MAX_CALLS} calls, not ${paths.length}`,
    });
  }
  return paths;
}

/** The inputs of the calls of a request, parsed on first access. */
export class Inputs {
  readonly #text: string | undefined;
  readonly #batched: boolean;
  #parsed: ReadJson | undefined;

  constructor(text: string | undefined, batched: boolean) {
    this.#text = text;
    this.#batched = batched;
  }

  /**
   * The input of a call; `Unreadable` when the text is not JSON, or not data of the transformer.
   * @param names the contract's own strings for the names of the operation's parameters, keyed by name
   */
  read(index: number, names: ReadonlyMap<string, string>): unknown {
    if (!this.#text) return undefined;
    if (!this.#batched) {
      const texts = readPlainTexts(this.#text, names);
      if (texts) return texts;
    }
    try {
      this.#parsed ??= readJson(this.#text, MAX_VALUES);
      if (!this.#parsed.ok) return new Unreadable(jsonFaultMessage(this.#parsed.fault).replace('body', 'input'));
      const { value } = this.#parsed;
      if (!this.#batched) return wireTransformer.deserialize(value);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        const inputs: Readonly<Record<string, unknown>> = { ...value };
        return wireTransformer.deserialize(inputs[index]);
      }
      return new Unreadable('The input of a batch is an object of inputs by index');
    } catch (error) {
      return new Unreadable(`The input cannot be read: ${errorText(error)}`);
    }
  }
}
