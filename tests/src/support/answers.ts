/**
 * Invariants of every response, in all tests: it is JSON in the envelope of its operation, its data fits the
 * contract, and its errors are those that the contract lists for the operation. Each world of these tests checks them.
 */
import {
  type AnyOperation,
  type AuthOperation,
  allAuthOperations,
  allDataOperations,
  allOperations,
  type BesideData,
  type DataOperation,
  type ErrorName,
  errorCode,
  errorNumber,
  errorStatus,
  errorsOf as errorsOfOperation,
  isRead,
  type Operation,
  problemSlug,
} from '@broadside/core';
import type { Seen } from '@broadside/testkit';
import { z } from 'zod';

/** The errors that follow from an operation's access and parameters, and are therefore not listed by it. */
export function impliedErrors(operation: AnyOperation): ErrorName[] {
  return [
    'UNAUTHORIZED_ACCESS',
    'TIMESTAMP_OUT_OF_BOUNDS',
    'INVALID_TOKEN',
    'UNAUTHORIZED_CLIENT_APPLICATION',
    'CURRENT_USER_SUSPENDED',
    'TOO_MANY_REQUESTS',
    // Also what is malformed in the OAuth parameters, and a parameter that the operation does not have.
    'INVALID_PARAMETER',
    'ILLEGAL_CHARACTERS',
    'MISSING_PARAMETER',
    'UNSUPPORTED_CONTENT_TYPE',
    'REQUEST_TOO_LARGE',
    ...('capability' in operation.access
      ? (['ACCOUNT_NOT_FOUND', 'ACTION_NOT_ALLOWED', 'ACCOUNT_DELETED'] as const)
      : []),
    ...('capability' in operation.access && !isRead(operation) ? (['ACCOUNT_LOCKED_OUT'] as const) : []),
    ...(isRead(operation) ? [] : (['READONLY_CLIENT_APPLICATION'] as const)),
    ...(operation.exclusive ? (['EXCLUSIVE_PARAMETERS'] as const) : []),
  ];
}

/** Errors of a request that has not reached an operation. */
const OUTSIDE: readonly ErrorName[] = [
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'INVALID_PARAMETER',
  'REQUEST_TOO_LARGE',
];

const errorsOf = (member: string) =>
  z.object({
    [member]: z.array(z.looseObject({ code: z.union([z.string(), z.number()]), message: z.string().min(1) })).min(1),
  });
const Failure = errorsOf('errors');
const BatchFailure = z.object({
  operation_errors: z.array(z.array(z.looseObject({ code: z.union([z.string(), z.number()]) }))),
});

/** The operations with the patterns of their paths: one that is written out comes before one with parameters in its place. */
const routes = allOperations
  .map((operation) => {
    const { path } = operation.http;
    return {
      operation,
      pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
      parameters: path.split(':').length,
    };
  })
  .sort((one, other) => one.parameters - other.parameters);

/** The operation behind a request, as the routes would find it. */
function operationAt(method: string, path: string): Operation | undefined {
  return routes.find(({ operation, pattern }) => operation.http.method === method && pattern.test(path))?.operation;
}

/** What operations respond with. Zod compiles each schema when it parses for the first time, so they are made once. */
const bodies = new Map<object, z.ZodType>();

function bodyOf(operation: object, make: () => z.ZodType): z.ZodType {
  const known = bodies.get(operation) ?? make();
  bodies.set(operation, known);
  return known;
}

/** @throws Error when a response violates an invariant of every response */
export function checkAnswer(seen: Seen): void {
  if (seen.listener === 'api') checkAuthAnswer(seen);
  else if (seen.path.startsWith('/12/')) checkAdsAnswer(seen);
}

function complaint({ listener, method, path, answer }: Seen, what: string): Error {
  return new Error(`${method} ${path} on ${listener} ${what}: ${answer.status} ${answer.text.slice(0, 2000)}`);
}

/** The endpoint of authentication behind a request. */
function authOperationAt(method: string, path: string): AuthOperation | undefined {
  return allAuthOperations.find(
    ({ http }) => http.method === method && (http.path === path || http.aliases?.some((alias) => alias === path)),
  );
}

const NumberedFailure = z.strictObject({
  errors: z
    .array(
      z.strictObject({
        code: z.int(),
        message: z.string().min(1),
        label: z.string().optional(),
        parameter: z.string().optional(),
        details: z.string().optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1),
  diagnosis: z.looseObject({ verdict: z.string() }).optional(),
});

/** Endpoints of authentication respond as they declare; other paths of their listener are pages and documents. */
function checkAuthAnswer(seen: Seen): void {
  const { method, path, answer } = seen;
  const data = allDataOperations.find(({ http }) => http.path === path);
  if (data) checkDataAnswer(data, seen);
  const operation = authOperationAt(method, path);
  if (!operation) return;
  const complain = (what: string): never => {
    throw complaint(seen, what);
  };
  if (answer.status >= 500) complain('failed');
  const type = answer.headers['content-type'];
  if (answer.status < 300) {
    const { envelope, data } = operation;
    if (type !== (envelope === 'form' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'))
      complain('has another type than its envelope');
    if (answer.headers['cache-control'] !== 'no-store') complain('may be kept by a cache');
    const body = envelope === 'form' ? Object.fromEntries(new URLSearchParams(answer.text)) : answer.body;
    const fit = bodyOf(operation, () => strict(data)).safeParse(body);
    if (!fit.success) complain(`does not fit the contract (${z.prettifyError(fit.error)})`);
    return;
  }
  if (type !== 'application/json; charset=utf-8') complain('is not JSON');
  const failure = NumberedFailure.safeParse(answer.body);
  const codes = failure.success ? failure.data.errors.map(({ code }) => code) : complain('has no numbered errors');
  const allowed = [...errorsOfOperation(operation), ...OUTSIDE];
  const undeclared = codes.filter((code) => !allowed.some((name) => errorNumber(name) === code));
  if (undeclared.length > 0) complain(`answers ${undeclared.join()}, which ${operation.id} does not declare`);
  const statuses = allowed.filter((name) => errorNumber(name) === codes[0]).map(errorStatus);
  if (!statuses.includes(answer.status)) complain('has a status that is not its code’s');
}

const PartialProblem = z.strictObject({
  type: z.url(),
  title: z.enum(['Not Found Error', 'Authorization Error', 'Field Authorization Error']),
  detail: z.string().min(1),
  resource_type: z.enum(['post', 'user', 'media']),
  resource_id: z.string(),
  parameter: z.string(),
  value: z.string(),
  section: z.enum(['data', 'includes']).optional(),
  field: z.string().optional(),
});

const Problem = z.strictObject({
  type: z.string(),
  title: z.string().min(1),
  detail: z.string().min(1),
  status: z.int().optional(),
  errors: z
    .array(
      z.strictObject({
        parameters: z.record(z.string(), z.array(z.unknown())).optional(),
        message: z.string().min(1),
        code: z.literal(89).optional(),
        details: z.string().optional(),
      }),
    )
    .min(1)
    .optional(),
  reason: z.string().min(1).optional(),
  client_id: z.string().min(1).optional(),
  required_enrollment: z.string().min(1).optional(),
  registration_url: z.url().optional(),
  diagnosis: z.looseObject({ verdict: z.string() }).optional(),
});

/** Data retrieval responds with the posts that it found, or with a problem that it declares. */
function checkDataAnswer(operation: DataOperation, seen: Seen): void {
  const { method, answer } = seen;
  const complain = (what: string): never => {
    throw complaint(seen, what);
  };
  if (answer.status >= 500) complain('failed');
  const type = answer.headers['content-type'];
  if (answer.status < 300) {
    if (type !== 'application/json; charset=utf-8') complain('is not JSON');
    if (method === 'HEAD') return;
    const fit = bodyOf(operation, () => lookupOf(operation)).safeParse(answer.body);
    if (!fit.success) complain(`does not fit the contract (${z.prettifyError(fit.error)})`);
    return;
  }
  if (type !== 'application/problem+json; charset=utf-8') complain('is no problem');
  if (method === 'HEAD') return;
  const problem = Problem.safeParse(answer.body);
  if (!problem.success) complain(`is no problem (${z.prettifyError(problem.error)})`);
  const slug = String(problem.data?.type).replace(/^.*\//, '');
  const declared = [...errorsOfOperation(operation), ...OUTSIDE].some(
    (name) => errorStatus(name) === answer.status && problemSlug(name) === slug,
  );
  if (!declared) complain(`is a problem that ${operation.id} does not declare`);
}

function lookupOf(operation: DataOperation): z.ZodType {
  const lists = Object.entries(operation.includes.shape).map(([name, field]) => {
    const array = z.instanceof(z.ZodOptional).parse(field).unwrap();
    const element = z.instanceof(z.ZodArray).parse(array).element;
    return [
      name,
      z
        .array(strict(z.instanceof(z.ZodType).parse(element)))
        .min(1)
        .optional(),
    ] as const;
  });
  return z
    .strictObject({
      data: z.array(strict(operation.data)).min(1).optional(),
      includes: z.strictObject(Object.fromEntries(lists)).optional(),
      errors: z.array(PartialProblem).min(1).optional(),
    })
    .refine(({ data, errors }) => data !== undefined || errors !== undefined, 'it says nothing');
}

function checkAdsAnswer(seen: Seen): void {
  const { method, path, answer } = seen;
  const complain = (what: string): never => {
    throw complaint(seen, what);
  };
  if (answer.status >= 500) complain('failed');
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8') complain('is not JSON');
  if (answer.headers['x-current-api-version'] !== '12') complain('does not name the version');
  // Reads answer HEAD as GET, without the body.
  const operation = operationAt(method === 'HEAD' ? 'GET' : method, path);
  if (answer.status < 300) {
    if (method === 'HEAD' && operation) return;
    const schema =
      operation && answer.status === 200
        ? bodyOf(operation, () => envelopeOf(operation))
        : complain('succeeded unexpectedly');
    const fit = schema.safeParse(answer.body);
    if (!fit.success) complain(`does not fit the contract (${z.prettifyError(fit.error)})`);
    return;
  }
  if (method === 'HEAD') return;
  const codes = codesOf(answer.body) ?? complain('has no errors');
  const allowed = operation ? [...operation.errors, ...impliedErrors(operation), ...OUTSIDE] : OUTSIDE;
  const undeclared = codes.filter((code) => !allowed.some((name) => String(errorCode(name)) === code));
  if (undeclared.length > 0)
    complain(`answers ${undeclared.join()}, which ${operation?.id ?? 'no operation'} does not declare`);
  const statuses = allowed.filter((name) => String(errorCode(name)) === codes[0]).map(errorStatus);
  const isItems = BatchFailure.safeParse(answer.body).success;
  if (isItems ? answer.status !== 400 : !statuses.includes(answer.status))
    complain('has a status that is not its code’s');
}

function codesOf(body: unknown): string[] | undefined {
  const items = BatchFailure.safeParse(body);
  if (items.success) return items.data.operation_errors.flat().map(({ code }) => String(code));
  const failure = Failure.safeParse(body);
  return failure.success ? failure.data['errors']?.map(({ code }) => String(code)) : undefined;
}

function envelopeOf(operation: Operation): z.ZodType {
  const one = strict(operation.data);
  return {
    entity: z.strictObject({ request: Request, data: one }),
    message: z.strictObject({ request: Request, ...(one instanceof z.ZodObject ? one.shape : {}) }),
    values: z.strictObject({ request: Request, ...besideData(operation.beside), data: z.array(one) }),
    list: z.strictObject({
      request: Request,
      ...besideData(operation.beside),
      next_cursor: z.string().nullable(),
      data: z.array(one),
      total_count: z.int().optional(),
    }),
    batch: z.strictObject({
      request: z.array(z.strictObject({ params: z.looseObject({}), operation_type: z.string() })),
      data: z.array(one),
    }),
  }[operation.envelope];
}

function besideData({ data_type, next_cursor, total_count }: BesideData = {}): Record<string, z.ZodType> {
  return {
    ...(data_type === undefined ? {} : { data_type: z.literal(data_type) }),
    ...(next_cursor === undefined ? {} : { next_cursor: z.null() }),
    ...(total_count === undefined ? {} : { total_count: z.int() }),
  };
}

const Request = z.strictObject({ params: z.looseObject({}) });

/** A member that the contract does not name must not leave the server. */
function strict(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? schema.strict() : schema;
}
