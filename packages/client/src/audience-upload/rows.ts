/** Rows of an upload: what a caller gives for each person, and the record that is sent for it. */
import { type IdentifierKind, identifierKinds, isHash, normalizeIdentifier } from '@broadside/core/identifiers';
import { MAX_IDENTIFIERS, MAX_TIME_S, type UsersShape } from '@broadside/core/resources/custom-audiences/users';
import { parseTimestamp, timestampMs } from '@broadside/core/wire';
import { isMembers } from '../shape.ts';

/** Identifiers of one kind. What is absent, `null` or empty counts as not given. */
type IdentifierValues = string | readonly string[] | null | undefined;

/** The identifiers of one person, by kind of identifier; at least one value. */
export type AudienceRow = { readonly [Kind in IdentifierKind]?: IdentifierValues } & {
  /** In place of the upload's, for this row alone. */
  readonly operation_type?: OperationType | undefined;
  /** In place of the upload's, for this row alone. */
  readonly effective_at?: Date | string | undefined;
  /** In place of the upload's, for this row alone. */
  readonly expires_at?: Date | string | undefined;
};

/** Rows as callers have them: an array, a generator, a stream. */
export type AudienceRows = Iterable<AudienceRow> | AsyncIterable<AudienceRow>;

/** The effect of a row: it adds the person, or removes them. */
export type OperationType = 'Update' | 'Delete';

/** The reason for which a row is not sent. It never contains an identifier. */
export interface RowProblem {
  /** The number of the row, from 1 on. */
  readonly row: number;
  /** The member of the row that is not valid; absent where the row as a whole is not. */
  readonly field?: IdentifierKind | 'operation_type' | 'effective_at' | 'expires_at' | undefined;
  /** A description of valid values. */
  readonly message: string;
}

/** The operation that a row belongs to. Neighbouring rows with equal terms share one. */
export interface OperationTerms {
  readonly operation_type: OperationType;
  readonly effective_at: string | undefined;
  readonly expires_at: string | undefined;
}

/** The way in which all rows of an upload are read. */
export interface Reading {
  readonly hashed: boolean;
  readonly terms: OperationTerms;
  /** The kinds that the list takes. */
  readonly shape: UsersShape;
  /** SHA-256 of the UTF-8 form, as hex digits. */
  readonly sha256: (normalized: string) => string | Promise<string>;
}

/** A row that can be sent. */
export interface ReadyRow {
  readonly row: number;
  readonly terms: OperationTerms;
  /** The user record as JSON. */
  readonly json: string;
}

/** A row that cannot. */
export interface BadRow {
  readonly row: number;
  readonly problems: readonly RowProblem[];
}

type Normalized = readonly (readonly [kind: IdentifierKind, values: readonly string[]])[];

/** A row whose identifiers are normalized and, where they need it, not yet hashed. */
export interface NormalizedRow {
  readonly row: number;
  readonly terms: OperationTerms;
  readonly identifiers: Normalized;
}

/** Reads a row: finds its operation, and normalizes its identifiers. */
export function normalizeRow(given: unknown, row: number, reading: Reading): NormalizedRow | BadRow {
  if (!isMembers(given)) {
    return { row, problems: [{ row, message: 'Expected an object with a member for each kind of identifier' }] };
  }
  const problems: RowProblem[] = [];
  const identifiers: [IdentifierKind, string[]][] = [];
  for (const kind of identifierKinds) {
    const raw = given[kind];
    if (raw === undefined || raw === null || raw === '') continue;
    if (!reading.shape.kinds.includes(kind)) {
      problems.push({ row, field: kind, message: `This list takes ${reading.shape.kinds.join(', ')}` });
      continue;
    }
    const values = new Set<string>();
    for (const value of Array.isArray(raw) ? raw : [raw]) {
      if (value === undefined || value === null || value === '') continue;
      const result = identifier(kind, value, reading.hashed);
      if (result.ok) values.add(result.value);
      else problems.push({ row, field: kind, message: result.message });
    }
    if (values.size > MAX_IDENTIFIERS)
      problems.push({ row, field: kind, message: `Expected up to ${MAX_IDENTIFIERS} identifiers of a kind` });
    if (values.size > 0) identifiers.push([kind, [...values]]);
  }
  const terms = termsOf(given, row, reading, problems);
  if (identifiers.length === 0 && problems.length === 0) {
    problems.push({
      row,
      message: `The row has no identifier: expected at least one of ${reading.shape.kinds.join(', ')}`,
    });
  }
  return problems.length > 0 ? { row, problems } : { row, terms, identifiers };
}

/** Hashes what must be hashed, and writes the record. No promise is made where the hash is at hand at once. */
export function finishRow({ row, terms, identifiers }: NormalizedRow, reading: Reading): ReadyRow | Promise<ReadyRow> {
  if (reading.hashed) return { row, terms, json: recordOf(identifiers) };
  const hashed = identifiers.map(
    ([kind, values]) =>
      [kind, kind === 'partner_user_id' ? values : values.map((value) => reading.sha256(value))] as const,
  );
  const isThere = (
    kind: readonly [IdentifierKind, readonly (string | Promise<string>)[]],
  ): kind is Normalized[number] => kind[1].every((value) => typeof value === 'string');
  if (hashed.every(isThere)) return { row, terms, json: recordOf(hashed) };
  return Promise.all(hashed.map(async ([kind, values]) => [kind, await Promise.all(values)] as const)).then((all) => ({
    row,
    terms,
    json: recordOf(all),
  }));
}

/** Hashes have nothing that JSON escapes, so the text is put together: it is most of the work of an upload. */
function recordOf(identifiers: Normalized): string {
  const members = identifiers.map(([kind, values]) =>
    kind === 'partner_user_id' ? `"${kind}":${JSON.stringify(values)}` : `"${kind}":["${values.join('","')}"]`,
  );
  return `{${members.join(',')}}`;
}

function identifier(kind: IdentifierKind, value: unknown, hashed: boolean): ReturnType<typeof normalizeIdentifier> {
  if (typeof value !== 'string') return { ok: false, message: 'Expected text or a list of texts' };
  if (kind === 'partner_user_id') return normalizeIdentifier(kind, value);
  const isHashed = isHash(value);
  if (hashed) {
    if (isHashed) return { ok: true, value: value.toLowerCase() };
    return { ok: false, message: 'Expected a SHA-256 hash of 64 hex digits, since the rows are said to be hashed' };
  }
  if (isHashed) return { ok: false, message: 'The value is hashed already: say that the rows are hashed' };
  return normalizeIdentifier(kind, value);
}

function termsOf(
  { operation_type, effective_at, expires_at }: Readonly<Record<string, unknown>>,
  row: number,
  { terms, shape }: Reading,
  problems: RowProblem[],
): OperationTerms {
  if (operation_type === undefined && effective_at === undefined && expires_at === undefined) return terms;
  const type = operation_type ?? terms.operation_type;
  if (type !== 'Update' && type !== 'Delete') {
    problems.push({ row, field: 'operation_type', message: 'Expected Update or Delete' });
    return terms;
  }
  if (type === 'Delete') return { operation_type: type, effective_at: undefined, expires_at: undefined };
  if (effective_at !== undefined && !shape.has_effective_at) {
    problems.push({ row, field: 'effective_at', message: 'This list counts from the moment of the request' });
  }
  const time = (field: 'effective_at' | 'expires_at', value: unknown) => {
    if (value === undefined) return terms[field];
    const read = readTime(value);
    if (read === undefined) problems.push({ row, field, message: 'Expected a time such as 2026-11-01T00:00:00Z' });
    return read;
  };
  const own: OperationTerms = {
    operation_type: type,
    effective_at: time('effective_at', effective_at),
    expires_at: time('expires_at', expires_at),
  };
  if (own.effective_at !== undefined && own.expires_at !== undefined && own.expires_at <= own.effective_at) {
    problems.push({ row, field: 'expires_at', message: 'Expected a time later than effective_at' });
  }
  return own;
}

/** A time in the form of the wire; `undefined` when it is none, or none that an operation can have. */
export function readTime(value: unknown): string | undefined {
  const text = value instanceof Date ? isoOf(value) : value;
  const time = typeof text === 'string' ? parseTimestamp(text) : undefined;
  if (time === undefined) return undefined;
  const ms = timestampMs(time);
  return ms >= 0 && ms <= MAX_TIME_S * 1000 ? time : undefined;
}

function isoOf(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
