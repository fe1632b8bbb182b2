/**
 * Packs rows into as few requests as the limits allow. Neighbouring rows with equal terms share one operation, because an
 * operation has no limit of users besides the body: so a request of rows with equal terms is limited by its bytes alone, and
 * holds some 60,000 people of one hash each, where an operation for each would end it at 2,500. Each request is filled
 * before the next one begins, in the order of the rows; no division into requests that keeps the order has fewer.
 */
import type { OperationTerms, OperationType, ReadyRow } from './rows.ts';

/** Limits of one request (specification B, Limits). */
export interface PackLimits {
  readonly operations: number;
  readonly bytes: number;
}

/** A request with all its rows. */
export interface PackedRequest {
  /** The body as JSON. */
  readonly body: string;
  readonly users: number;
  /** The types of its operations. */
  readonly types: ReadonlySet<OperationType>;
  /** For each operation the row of each of its users. */
  readonly rows: readonly (readonly number[])[];
}

const BRACKETS = 2;
const COMMA = 1;
const TAIL = ']}}';

interface OpenOperation {
  readonly terms: OperationTerms;
  readonly users: string[];
  readonly rows: number[];
}

/** Collects the rows of one request after the other. */
export class RequestPacker {
  readonly #limits: PackLimits;
  #operations: OpenOperation[] = [];
  #bytes = BRACKETS;

  constructor(limits: PackLimits) {
    this.#limits = limits;
  }

  /** Adds a row. @returns false, without adding it, when the request has no room for it */
  add({ row, json, terms }: ReadyRow): boolean {
    const last = this.#operations.at(-1);
    if (last && isSame(last.terms, terms)) {
      const more = COMMA + byteLength(json);
      if (this.#bytes + more > this.#limits.bytes) return false;
      this.#bytes += more;
      last.users.push(json);
      last.rows.push(row);
      return true;
    }
    const more = (last ? COMMA : 0) + byteLength(headOf(terms)) + byteLength(json) + TAIL.length;
    if (this.#operations.length >= this.#limits.operations || this.#bytes + more > this.#limits.bytes) return false;
    this.#bytes += more;
    this.#operations.push({ terms, users: [json], rows: [row] });
    return true;
  }

  /** Ends the request, and begins the next. `undefined` when there are no rows. */
  take(): PackedRequest | undefined {
    if (this.#operations.length === 0) return undefined;
    const operations = this.#operations;
    const request = {
      body: `[${operations.map(({ terms, users }) => `${headOf(terms)}${users.join(',')}${TAIL}`).join(',')}]`,
      users: operations.reduce((sum, { users }) => sum + users.length, 0),
      types: new Set(operations.map(({ terms }) => terms.operation_type)),
      rows: operations.map(({ rows }) => rows),
    };
    this.#operations = [];
    this.#bytes = BRACKETS;
    return request;
  }
}

function isSame(one: OperationTerms, other: OperationTerms): boolean {
  return (
    one === other ||
    (one.operation_type === other.operation_type &&
      one.effective_at === other.effective_at &&
      one.expires_at === other.expires_at)
  );
}

/** An operation up to its first user. */
function headOf({ operation_type, effective_at, expires_at }: OperationTerms): string {
  const times = [
    effective_at === undefined ? '' : `"effective_at":"${effective_at}",`,
    expires_at === undefined ? '' : `"expires_at":"${expires_at}",`,
  ];
  return `{"operation_type":"${operation_type}","params":{${times.join('')}"users":[`;
}

const encoder = new TextEncoder();

/** Bytes of the UTF-8 form. Only a `partner_user_id` has characters of more than one. */
function byteLength(text: string): number {
  return /^[\0-\x7f]*$/.test(text) ? text.length : encoder.encode(text).length;
}
