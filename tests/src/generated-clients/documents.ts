/** The documents that generators are given, and what must come of each operation. */
import { operationsOf } from '../contract-testing/document.ts';
import type { ServerProcess } from '../support/server-process.ts';

type Json = Readonly<Record<string, unknown>>;

/** A document as a server serves it. */
export interface ServedDocument {
  readonly text: string;
  readonly json: Json;
  readonly operations: readonly ServedOperation[];
}

/** An operation of a document. */
interface ServedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
  readonly statuses: readonly number[];
  /** The names of the parameters in the query, and of those of them that must be there. */
  readonly query: { readonly all: readonly string[]; readonly required: readonly string[] };
}

/** Reads the documents of the listeners. */
export async function servedDocuments({ credentials }: ServerProcess) {
  const [api, ads, sandbox] = await Promise.all(
    [credentials.base_url, credentials.ads_base_url, credentials.ads_sandbox_base_url].map(served),
  );
  if (!api || !ads || !sandbox) throw new TypeError('a listener has no document');
  return { api, ads, sandbox };
}

async function served(origin: string): Promise<ServedDocument> {
  const response = await fetch(`${origin}/openapi.json`);
  const text = await response.text();
  const json: Json = JSON.parse(text);
  const operations = operationsOf(json).map(({ id, method, path, bodyTypes, answers }): ServedOperation => {
    const parameters = at(json, 'paths', path, method.toLowerCase(), 'parameters');
    const query = (Array.isArray(parameters) ? parameters : []).filter((one) => one.in === 'query');
    return {
      id,
      method,
      path,
      hasBody: bodyTypes.length > 0,
      statuses: [...answers.keys()],
      query: {
        all: query.map(({ name }) => name),
        required: query.filter(({ required }) => required === true).map(({ name }) => name),
      },
    };
  });
  return { text, json, operations };
}

/** A part of a document; `undefined` where there is none. */
export function at(json: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((part, name) => Object(part)[name], json);
}

/** The named schemas of a document that are objects, with the names of the members that must be there. */
export function objectSchemas({
  json,
}: ServedDocument): readonly (readonly [name: string, required: readonly string[]])[] {
  return Object.entries(Object(at(json, 'components', 'schemas'))).flatMap(([name, schema]) => {
    const { type, required = [] }: { type?: unknown; required?: readonly string[] } = Object(schema);
    return type === 'object' ? [[name, required] as const] : [];
  });
}
