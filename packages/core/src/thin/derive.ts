/** Derives the thin contract. Pure: a function of the contract. */
import type * as z from 'zod';
import { errorStatus } from '../errors/catalogue.ts';
import { problemNames } from '../errors/problem-codes.ts';
import { defaultOf, fieldsOf } from '../operation/fields.ts';
import type {
  AuthOperation,
  DataOperation,
  Operation,
  OperationOfKind,
  PageOperation,
  UploadOperation,
} from '../operation/operation.ts';
import { isRemovable } from '../operation/parse.ts';
import { rateBuckets } from '../operation/rate-limits.ts';
import { declarableMediaTypes, uploadLimits } from '../resources/media/categories.ts';
import { wireTypeOf } from '../wire/types.ts';
import { ShapeCollector } from './shapes.ts';
import type {
  ThinAdsOperation,
  ThinAuthContract,
  ThinAuthOperation,
  ThinContract,
  ThinDataOperation,
  ThinOperation,
  ThinPaging,
  ThinTransport,
  ThinUploadOperation,
} from './types.ts';

/** Derives the thin contract of the operations that clients call by id. @throws TypeError for one without a thin form */
export function thinContract(operations: readonly OperationOfKind<ThinOperation['kind']>[]): ThinContract {
  const collector = new ShapeCollector();
  const thin = operations.map((operation) => thinOperation(operation, collector));
  const { segment_bytes, segments } = uploadLimits;
  return {
    operations: thin,
    shapes: collector.shapes,
    uploads: { segment_bytes, segments, media_types: declarableMediaTypes },
  };
}

/** The thin contract of the endpoints of authentication and the pages of the three-legged flow. */
export function thinAuthContract(
  operations: readonly AuthOperation[],
  pages: readonly PageOperation[],
): ThinAuthContract {
  const collector = new ShapeCollector();
  return {
    operations: Object.fromEntries(operations.map((operation) => [operation.id, thinAuth(operation, collector)])),
    shapes: collector.shapes,
    pages: Object.fromEntries(pages.map(({ id, http }) => [id, http.path])),
  };
}

/** Returns the limits that apply to every request. */
export function thinTransport(): ThinTransport {
  return {
    write_window_ms: rateBuckets['ads.write'].window_ms,
    codes: Object.fromEntries(problemNames.map((name) => [errorStatus(name), name])),
  };
}

function thinOperation(operation: OperationOfKind<ThinOperation['kind']>, collector: ShapeCollector): ThinOperation {
  switch (operation.kind) {
    case 'ads':
      return thinAds(operation, collector);
    case 'data':
      return thinData(operation, collector);
    case 'upload':
      return thinUpload(operation, collector);
  }
}

function thinAds(operation: Operation, collector: ShapeCollector): ThinAdsOperation {
  const { envelope, sandboxOnly, body, batch } = operation;
  return {
    kind: 'ads',
    ...facts(operation),
    envelope,
    ...(sandboxOnly ? { sandboxOnly } : {}),
    ...(body === undefined ? {} : { body }),
    ...(batch ? { batch: true } : {}),
    ...(envelope === 'list' ? { paging: pagingOf(operation) } : {}),
    data: collector.typeOf(operation.data, `${operation.id}: data`),
  };
}

function thinData(operation: DataOperation, collector: ShapeCollector): ThinDataOperation {
  return {
    kind: 'data',
    ...facts(operation),
    data: collector.typeOf(operation.data, `${operation.id}: data`),
    includes: collector.typeOf(operation.includes, `${operation.id}: includes`),
  };
}

function thinUpload(operation: UploadOperation, collector: ShapeCollector): ThinUploadOperation {
  const { envelope, version, bytes, repeatable } = operation;
  const { command } = operation.http;
  return {
    kind: 'upload',
    ...facts(operation),
    envelope,
    // Version 2 has a path for each step.
    ...(command === undefined || version === '2' ? {} : { command }),
    ...(bytes ? { part: bytes.part } : {}),
    ...(repeatable ? { repeatable } : {}),
    data: collector.typeOf(operation.data, `${operation.id}: data`),
  };
}

function thinAuth(operation: AuthOperation, collector: ShapeCollector): ThinAuthOperation {
  return {
    kind: 'auth',
    ...facts(operation),
    envelope: operation.envelope,
    data: collector.typeOf(operation.data, `${operation.id}: data`),
  };
}

function facts({ id, http, params }: Operation | DataOperation | UploadOperation | AuthOperation) {
  const removable = fieldsOf(params).flatMap(([name, field]) => (isRemovable(field) ? [name] : []));
  const { method, path } = http;
  return { id, method, path, ...(removable.length > 0 ? { removable } : {}) };
}

function pagingOf({ params, exclusive = [] }: Operation): ThinPaging {
  const [, schema] = fieldsOf(params).find(([name]) => name === 'count') ?? [];
  const firstPageOnly = exclusive.flatMap(([one, other]) =>
    one === 'cursor' ? [other] : other === 'cursor' ? [one] : [],
  );
  return { ...(schema ? { count: boundsOf(schema) } : {}), firstPageOnly };
}

/** Returns the bounds of a number, as stated in its JSON Schema. */
function boundsOf(schema: z.ZodType): NonNullable<ThinPaging['count']> {
  const { minimum, maximum } = wireTypeOf(schema)?.json ?? {};
  const preset = defaultOf(schema);
  if (typeof minimum === 'number' && typeof maximum === 'number' && typeof preset === 'number') {
    return { min: minimum, max: maximum, default: preset };
  }
  throw new TypeError('the parameter "count" of a list has no bounds or no default');
}
