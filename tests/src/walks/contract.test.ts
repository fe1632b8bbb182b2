import {
  allAuthOperations,
  allControlOperations,
  allDataOperations,
  allOperations,
  allOperatorOperations,
  allPages,
  allUploadOperations,
  type ErrorName,
  errorCatalogue,
  errorsOf,
  fieldsOf,
  innerType,
  isRead,
  type Operation,
  operationById,
  readBatch,
  readLookup,
  readParams,
  wireTypeOf,
} from '@broadside/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { impliedErrors } from '../support/answers.ts';
import { pathNames } from '../support/call.ts';

const everything = [
  ...allOperations,
  ...allOperatorOperations,
  ...allControlOperations,
  ...allAuthOperations,
  ...allDataOperations,
];

test('the contract has operations', () => {
  expect(allOperations.length).toBeGreaterThanOrEqual(23);
  expect(allOperatorOperations.length).toBeGreaterThanOrEqual(11);
  expect(allAuthOperations.length).toBeGreaterThanOrEqual(5);
  expect(allDataOperations.length).toBeGreaterThanOrEqual(1);
  expect(allPages.length).toBeGreaterThanOrEqual(2);
});

test('no two operations have one id', () => {
  const operations = [...everything, ...allUploadOperations];
  expect(operationById.size).toBe(operations.length);
  const ids = [...operations, ...allPages].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an id is the place of the operation in the contract: resource, dot, verb', () => {
  for (const { id } of [...everything, ...allPages]) expect(id).toMatch(/^[a-z]\w*(\.[a-z_]+)+$/);
});

test('no two operations answer one method and path, whatever the parameters are called', () => {
  const aliases = allAuthOperations.flatMap(({ http }) => (http.aliases ?? []).map((path) => ({ ...http, path })));
  const paths = [
    ...[...allOperations, ...allControlOperations, ...allAuthOperations, ...allDataOperations, ...allPages].map(
      ({ http }) => http,
    ),
    ...aliases,
  ];
  const routes = paths.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
  expect(new Set(routes).size).toBe(routes.length);
});

test('no path could be taken for another: where one has a parameter and another a word, the word is no value of the parameter', () => {
  const shapes = allOperations.map(({ http, params, data }) => ({
    path: http.path,
    parts: http.path.split('/'),
    params,
    data,
  }));
  // An id is what the entity declares; the parameter takes any word, so that a missing entity is a 404.
  const takes = ({ params, data }: Pick<Operation, 'params' | 'data'>, part: string, word: string) => {
    const id = data instanceof z.ZodObject ? data.shape['id'] : undefined;
    return (id ?? params.shape[part.slice(1)])?.safeParse(word).success !== false;
  };
  for (const one of shapes) {
    for (const other of shapes) {
      if (one.path === other.path || one.parts.length !== other.parts.length) continue;
      const clash = one.parts.every((part, i) => {
        const word = other.parts[i] ?? '';
        if (part === word || (part.startsWith(':') && word.startsWith(':'))) return true;
        if (part.startsWith(':')) return takes(one, part, word);
        return word.startsWith(':') && takes(other, word, part);
      });
      expect(clash, `${one.path} and ${other.path}`).toBe(false);
    }
  }
});

describe.for(allOperations.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  test('every name in the path is a required parameter', () => {
    for (const name of pathNames(operation)) {
      const field = operation.params.shape[name];
      expect(field, name).toBeDefined();
      expect(field?.safeParse(undefined).success, name).toBe(false);
    }
  });

  test('an operation below an account asks for a capability, and only such an operation', () => {
    expect('capability' in operation.access).toBe(pathNames(operation).includes('account_id'));
  });

  test('an operation on an account can answer that the account has been deleted, and does not declare it again', () => {
    const below = pathNames(operation).includes('account_id');
    expect(errorsOf(operation).includes('ACCOUNT_DELETED')).toBe(below);
    expect(operation.errors).not.toContain('ACCOUNT_DELETED');
  });

  test('what is written draws on the bucket of writes, what is read does not', () => {
    // Reference, conventions section 9: audience endpoints have a count of their own, whether they read or write.
    if (/^ads\.audience(_users)?$/.test(operation.rateLimit)) expect(operation.id).toMatch(/audience|do_not_reach/);
    else expect(operation.rateLimit === 'ads.write').toBe(!isRead(operation));
  });

  test('a list takes the parameters of its kind and rejects a cursor beside the count of all', () => {
    const shared = ['count', 'cursor', 'sort_by', 'with_deleted', 'with_total_count'];
    const taken = shared.filter((name) => name in operation.params.shape);
    if (operation.envelope !== 'list') {
      expect(taken.filter((name) => name !== 'with_deleted' && name !== 'count')).toEqual([]);
    } else if (/audience_permissions/.test(operation.id)) {
      // Reference, audiences section 2: lists of permissions on audiences have no `with_deleted`.
      expect(taken).toEqual(shared.filter((name) => name !== 'with_deleted'));
    } else if (operation.id === 'media_library.list') {
      // Specification B, Media library: newest first, without deleted ones, and never counted.
      expect(taken).toEqual(['count', 'cursor']);
    } else if (operation.id === 'cards.list') {
      // Specification B, Cards: never counted.
      expect(taken).toEqual(shared.filter((name) => name !== 'with_total_count'));
    } else if (isRecord(operation)) expect(taken).toEqual(shared);
    // Lookups have neither an order of their own nor deleted rows, and not all of them count.
    else {
      expect(taken.filter((name) => name !== 'with_total_count' && name !== 'count')).toEqual(['cursor']);
    }
    const counts = taken.includes('with_total_count');
    const ofPages = (operation.exclusive ?? []).filter((names) => names.includes('cursor'));
    expect(ofPages).toEqual(counts ? [['with_total_count', 'cursor']] : []);
  });

  test('no error is declared twice', () => {
    expect(new Set<ErrorName>(operation.errors).size).toBe(operation.errors.length);
  });

  test('no declared error is one that the server answers only when it fails', () => {
    for (const name of operation.errors) expect(errorCatalogue[name].status, name).toBeLessThan(500);
  });

  test('a read declares nothing that only a write can meet', () => {
    if (isRead(operation)) expect(impliedErrors(operation)).not.toContain('READONLY_CLIENT_APPLICATION');
  });
});

describe.for(everything.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  test('the example call is a valid call', () => {
    const { example, params, batch } = operation;
    if (batch) {
      const { operations, ...path } = z.looseObject({ operations: z.array(z.unknown()) }).parse(example.params);
      const read = readBatch(batch, operations, path);
      expect([read.issues, read.itemIssues.flat()]).toEqual([[], []]);
    }
    const given = z.looseObject({}).parse(example.params);
    expect(readParams(params, given, operation.exclusive).issues).toEqual([]);
    if (operation.kind === 'data') expect(readLookup(params, given).issues).toEqual([]);
  });

  test('the example answer fits the schema and names every member of it', () => {
    const { data, example } = operation;
    const schema = data instanceof z.ZodObject ? data.strict() : data;
    const read = schema.safeParse(example.data);
    expect(read.error).toBeUndefined();
    if (!(data instanceof z.ZodObject)) return;
    const required = Object.entries(data.shape).filter(([, field]) => !(field instanceof z.ZodOptional));
    expect(Object.keys(z.looseObject({}).parse(example.data))).toEqual(
      expect.arrayContaining(required.map(([name]) => name)),
    );
  });

  test('every parameter and member has a wire type and a description, by which the other adapters know it', () => {
    const shapes = [operation.params.shape, operation.data instanceof z.ZodObject ? operation.data.shape : {}];
    for (const shape of shapes) {
      for (const [name, field] of Object.entries(shape)) {
        if (name === 'operations' && operation.batch) continue;
        expectKnown(name, z.instanceof(z.ZodType).parse(field));
      }
    }
  });

  test('the summary is one line in the imperative', () => {
    expect(operation.summary).toMatch(/^[A-Z][a-z]+,? [^.\n]+$/);
  });
});

describe.for(allAuthOperations.map((operation) => [operation.id, operation] as const))('%s', ([, operation]) => {
  test('has a number of its own for each error that it can answer with', () => {
    const unnumbered = errorsOf(operation).filter((name) => !('number' in errorCatalogue[name]));
    expect(unnumbered).toEqual([]);
  });

  test('a form-encoded answer has scalars only', () => {
    const kinds = fieldsOf(z.instanceof(z.ZodObject).parse(operation.data)).map(([, field]) => wireTypeOf(field)?.kind);
    if (operation.envelope === 'form') expect(kinds).not.toContain('list');
  });

  test('no error is declared twice, and none that only a failing server answers', () => {
    expect(new Set<ErrorName>(operation.errors).size).toBe(operation.errors.length);
    for (const name of operation.errors) expect(errorCatalogue[name].status, name).toBeLessThan(500);
  });
});

describe.for(allPages.map((page) => [page.id, page] as const))('%s', ([, page]) => {
  test('the example address is a valid one', () => {
    expect(readParams(page.params, z.looseObject({}).parse(page.example.params)).issues).toEqual([]);
  });

  test('every parameter has a wire type and a description', () => {
    for (const [name, field] of fieldsOf(page.params)) {
      expect(wireTypeOf(field)?.kind, name).toBeDefined();
      expect(described(field), name).toBe(true);
    }
  });
});

/** A member is described, and what it is made of in the end has a wire type. */
function expectKnown(name: string, schema: z.ZodType): void {
  expect(described(schema), name).toBe(true);
  expectTyped(name, schema);
}

function expectTyped(name: string, schema: z.ZodType): void {
  const inner = innerType(schema);
  if (wireTypeOf(schema)) return;
  if (inner) expectTyped(name, inner);
  else if (schema instanceof z.ZodArray) expectTyped(`${name}[]`, z.instanceof(z.ZodType).parse(schema.element));
  else {
    const fields = fieldsOf(z.instanceof(z.ZodObject).parse(schema));
    for (const [member, field] of fields) expectKnown(`${name}.${member}`, field);
  }
}

function described(schema: z.ZodType): boolean {
  const inner = innerType(schema);
  return Boolean(schema.description) || (inner !== undefined && described(inner));
}

/** Returns whether an operation is about records, which are created and deleted. */
function isRecord({ data }: Operation): boolean {
  return data instanceof z.ZodObject && 'deleted' in data.shape;
}
