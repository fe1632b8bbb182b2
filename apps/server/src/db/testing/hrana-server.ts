/**
 * A libSQL server for tests: the Hrana protocol over HTTP (versions 2 and 3 in JSON), on a file, with the native binding.
 * It behaves as `sqld` does where clients can tell: batons, stream expiry, error codes without the extended part, one
 * statement a request, waiting for the write lock without blocking others. No Protobuf (clients fall back to JSON), no
 * cursors, no replication, no TLS.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import Native from 'libsql';
import { readSql } from '../sql-text.ts';

/**
 * What happens to a pipeline request in place of an answer: `drop-request` cuts the connection before anything is
 * executed, `drop-answer` executes everything and then cuts it.
 */
export type HranaFault = 'drop-request' | 'drop-answer';

/** Options of {@link startHranaServer}. */
export interface HranaServerOptions {
  /** The database file. */
  readonly path: string;
  /** When given, requests must carry it as a bearer token. */
  readonly authToken?: string;
  /** Milliseconds after which a stream without a request is closed and its transaction rolled back; 10,000 by default. */
  readonly streamTimeout?: number;
  /** Milliseconds to wait for the write lock before SQLITE_BUSY; 5,000 by default. */
  readonly busyTimeout?: number;
  /** Called for each pipeline request with the SQL texts in it; may choose a fault. */
  readonly fault?: (sql: readonly string[]) => HranaFault | undefined;
}

/** A running server. */
export interface HranaServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Streams that are open, transactions among them. */
  readonly openStreams: number;
  /** Ends all streams (open transactions are rolled back) and connections. */
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback interface. */
export async function startHranaServer(options: HranaServerOptions): Promise<HranaServer> {
  const streams = new Streams(options);
  const server = createServer((request, response) => {
    answer(streams, options, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else reply(response, 500, 'text/plain', error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    get openStreams() {
      return streams.size;
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      streams.close();
    },
  };
}

type Json = Record<string, unknown>;

/** The request breaks the protocol: HTTP 400, and the stream is gone. */
class ProtocolError extends Error {}

/** A statement failed: an error result in the answer. */
class StatementError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The stream of the baton was closed for inactivity: HTTP 500 with a code, as `sqld` has it. */
class StreamExpiredError extends Error {}

async function answer(
  streams: Streams,
  options: HranaServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').replace(/\?.*/, '');
  if (request.method === 'GET') {
    if (['/', '/v2', '/v3'].includes(path)) return reply(response, 200, 'text/plain', 'Hrana over HTTP');
    return reply(response, 404, 'text/plain', `not found: ${path}`);
  }
  const version = path === '/v2/pipeline' ? 2 : path === '/v3/pipeline' ? 3 : undefined;
  if (request.method !== 'POST' || version === undefined) {
    return reply(response, 404, 'text/plain', `not found: ${request.method} ${path}`);
  }
  if (options.authToken !== undefined && request.headers.authorization !== `Bearer ${options.authToken}`) {
    return reply(response, 401, 'text/plain', 'Unauthorized');
  }
  try {
    const body = object(parse(await text(request)), 'request body');
    const requests = array(body.requests, 'requests').map((one) => object(one, 'request'));
    const fault = options.fault?.(requests.flatMap(sqlOf));
    if (fault === 'drop-request') return void response.destroy();
    const stream = streams.acquire(body.baton);
    const results: Json[] = [];
    try {
      for (const one of requests) results.push(await stream.handle(one, version));
    } catch (error) {
      streams.drop(stream);
      throw error;
    }
    const baton = streams.release(stream);
    if (fault === 'drop-answer') return void response.destroy();
    reply(response, 200, 'application/json', JSON.stringify({ baton, base_url: null, results }));
  } catch (error) {
    if (error instanceof ProtocolError) return reply(response, 400, 'text/plain', error.message);
    if (error instanceof StreamExpiredError) {
      const body = { message: 'The stream has expired due to inactivity', code: 'STREAM_EXPIRED' };
      return reply(response, 500, 'application/json', JSON.stringify(body));
    }
    throw error;
  }
}

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    if (chunk instanceof Buffer) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The SQL texts of a request, for {@link HranaServerOptions.fault}. */
function sqlOf(request: Json): string[] {
  const batch = request.batch;
  const steps = isObject(batch) && Array.isArray(batch.steps) ? batch.steps : [];
  return [request, request.stmt, ...steps.map((step: unknown) => (isObject(step) ? step.stmt : undefined))].flatMap(
    (holder) => (isObject(holder) && typeof holder.sql === 'string' ? [holder.sql] : []),
  );
}

/** The open streams, found by baton. A baton is good for one request. */
class Streams {
  readonly #options: HranaServerOptions;
  readonly #open = new Map<string, Stream>();
  readonly #expired = new Set<string>();
  readonly #idle: Connection[] = [];
  #lastId = 0;

  constructor(options: HranaServerOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  acquire(baton: unknown): Stream {
    if (baton === undefined || baton === null) {
      const connection = this.#idle.pop() ?? new Connection(this.#options.path, this.#options.busyTimeout ?? 5000);
      const stream = new Stream(String(++this.#lastId), connection);
      stream.acquired = true;
      this.#open.set(stream.id, stream);
      return stream;
    }
    const [id = '', sequence = '', mac] = string(baton, 'baton').split('.');
    if (mac !== this.#mac(id, sequence)) throw new ProtocolError('Received an invalid baton');
    if (this.#expired.has(id)) throw new StreamExpiredError();
    const stream = this.#open.get(id);
    if (stream === undefined) throw new ProtocolError('Received an invalid baton');
    if (stream.acquired || sequence !== String(stream.sequence)) throw new ProtocolError('Received a reused baton');
    clearTimeout(stream.expiry);
    stream.acquired = true;
    stream.sequence++;
    return stream;
  }

  /** Ends the use of the stream by one request; gives the baton of the next one, or null if the stream was closed. */
  release(stream: Stream): string | null {
    stream.acquired = false;
    if (stream.closed) {
      this.#forget(stream);
      return null;
    }
    stream.expiry = setTimeout(() => {
      this.#expired.add(stream.id);
      this.#forget(stream);
    }, this.#options.streamTimeout ?? 10_000);
    stream.expiry.unref();
    return `${stream.id}.${stream.sequence}.${this.#mac(stream.id, String(stream.sequence))}`;
  }

  drop(stream: Stream): void {
    this.#forget(stream);
  }

  close(): void {
    for (const stream of this.#open.values()) {
      clearTimeout(stream.expiry);
      stream.connection.close();
    }
    this.#open.clear();
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  #forget(stream: Stream): void {
    if (!this.#open.delete(stream.id)) return;
    if (stream.connection.reset()) this.#idle.push(stream.connection);
    else stream.connection.close();
  }

  // Not a secret (this is a test server): it tells a baton of this server from any other text.
  #mac(id: string, sequence: string): string {
    return createHmac('sha256', this.#options.path).update(`${id}.${sequence}`).digest('base64url');
  }
}

/** One stream: a connection and the texts stored on it. */
class Stream {
  readonly id: string;
  readonly connection: Connection;
  readonly #stored = new Map<number, string>();
  sequence = 0;
  acquired = false;
  closed = false;
  expiry: NodeJS.Timeout | undefined;

  constructor(id: string, connection: Connection) {
    this.id = id;
    this.connection = connection;
  }

  /** The result of one request of a pipeline. Later requests run even if an earlier one failed. */
  async handle(request: Json, version: 2 | 3): Promise<Json> {
    if (this.closed) throw new ProtocolError('The stream was closed by an earlier request');
    try {
      return { type: 'ok', response: await this.#respond(request, version) };
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      return { type: 'error', error: { message: error.message, code: error.code } };
    }
  }

  async #respond(request: Json, version: 2 | 3): Promise<Json> {
    const { type } = request;
    switch (type) {
      case 'execute':
        return { type, result: await this.#execute(object(request.stmt, 'stmt')) };
      case 'batch':
        return { type, result: await this.#batch(object(request.batch, 'batch'), version) };
      case 'sequence':
        await this.connection.script(this.#sql(request));
        return { type };
      case 'describe':
        return { type, result: this.connection.describe(this.#sql(request)) };
      case 'store_sql': {
        const id = integer(request.sql_id, 'sql_id');
        if (this.#stored.has(id)) throw new ProtocolError(`SQL text ${id} is stored already`);
        this.#stored.set(id, string(request.sql, 'sql'));
        return { type };
      }
      case 'close_sql':
        this.#stored.delete(integer(request.sql_id, 'sql_id'));
        return { type };
      case 'get_autocommit':
        if (version < 3) throw new ProtocolError('get_autocommit needs version 3');
        return { type, is_autocommit: this.connection.autocommit };
      case 'close':
        this.closed = true;
        return { type };
      default:
        throw new ProtocolError(`unknown request type: ${JSON.stringify(type)}`);
    }
  }

  #sql(holder: Json): string {
    const { sql, sql_id: id } = holder;
    const given = sql !== undefined && sql !== null;
    if (id === undefined || id === null) return string(sql, 'sql');
    if (given) throw new ProtocolError('both sql and sql_id were given');
    const stored = this.#stored.get(integer(id, 'sql_id'));
    if (stored === undefined) throw new ProtocolError(`SQL text ${JSON.stringify(id)} is not stored`);
    return stored;
  }

  #execute(stmt: Json): Promise<Json> {
    const args = optionalArray(stmt.args, 'args').map(decodeValue);
    const named = optionalArray(stmt.named_args, 'named_args').map((one): [string, NativeValue] => {
      const arg = object(one, 'named argument');
      return [string(arg.name, 'name'), decodeValue(arg.value)];
    });
    return this.connection.execute(this.#sql(stmt), args, new Map(named), stmt.want_rows !== false);
  }

  async #batch(batch: Json, version: 2 | 3): Promise<Json> {
    const results: (Json | null)[] = [];
    const errors: (Json | null)[] = [];
    for (const one of array(batch.steps, 'steps')) {
      const step = object(one, 'step');
      let result: Json | null = null;
      let failure: Json | null = null;
      const { condition } = step;
      if (condition === undefined || condition === null || this.#holds(condition, results, errors, version)) {
        try {
          result = await this.#execute(object(step.stmt, 'stmt'));
        } catch (error) {
          if (!(error instanceof StatementError)) throw error;
          failure = { message: error.message, code: error.code };
        }
      }
      results.push(result);
      errors.push(failure);
    }
    return { step_results: results, step_errors: errors };
  }

  #holds(condition: unknown, results: (Json | null)[], errors: (Json | null)[], version: 2 | 3): boolean {
    const it = object(condition, 'condition');
    const earlier = (list: (Json | null)[]): boolean => {
      const found = list[integer(it.step, 'step')];
      if (found === undefined) throw new ProtocolError('a condition refers to a step that has not run');
      return found !== null;
    };
    const holds = (one: unknown): boolean => this.#holds(one, results, errors, version);
    switch (it.type) {
      case 'ok':
        return earlier(results);
      case 'error':
        return earlier(errors);
      case 'not':
        return !holds(it.cond);
      case 'and':
        return array(it.conds, 'conds').every(holds);
      case 'or':
        return array(it.conds, 'conds').some(holds);
      case 'is_autocommit':
        if (version < 3) throw new ProtocolError('is_autocommit needs version 3');
        return this.connection.autocommit;
      default:
        throw new ProtocolError(`unknown condition: ${JSON.stringify(it.type)}`);
    }
  }
}

/** Numbers bind as REAL and bigint as INTEGER, which is the difference that the protocol makes too. */
type NativeValue = string | number | bigint | null | Uint8Array;

/** One connection of the native binding. It waits for locks on timers: several streams live in this one thread. */
class Connection {
  readonly #native: Native.Database;
  readonly #busyTimeout: number;
  #stuck = false;

  constructor(path: string, busyTimeout: number) {
    this.#busyTimeout = busyTimeout;
    this.#native = new Native(path);
    for (const pragma of ['busy_timeout = 0', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
      this.#native.exec(`PRAGMA ${pragma}`);
    }
  }

  get autocommit(): boolean {
    return !(this.#native.open && this.#native.inTransaction);
  }

  /** Makes the connection as new for another stream; false if that is not possible, then it must be closed. */
  reset(): boolean {
    if (!this.#native.open) return false;
    if (this.#native.inTransaction) this.#native.exec('ROLLBACK');
    this.#native.exec('PRAGMA foreign_keys = ON');
    return !this.#stuck;
  }

  close(): void {
    if (!this.#native.open) return;
    this.reset();
    this.#native.close();
  }

  execute(
    sql: string,
    positional: readonly NativeValue[],
    named: ReadonlyMap<string, NativeValue>,
    wantRows: boolean,
  ): Promise<Json> {
    // Prepared once and run again: a statement that failed with SQLITE_BUSY stays in progress until it is run to its end,
    // and as long as one does, COMMIT fails.
    let statement: Native.Statement | undefined;
    return this.#retryBusy(() => {
      statement ??= this.#prepare(sql);
      const values = bind(sql, positional, named);
      if (!statement.reader) {
        const { changes } = statement.run(values);
        return statementResult([], [], changes, this.#integer('last_insert_rowid()'));
      }
      statement.raw(true);
      statement.safeIntegers(true);
      const columns = statement.columns().map(({ name, type }) => ({ name, decltype: type }));
      const rows = statement.all(values);
      const changes = readSql(sql).kind === 'write' ? Number(this.#integer('changes()')) : 0;
      return statementResult(columns, wantRows ? rows : [], changes, this.#integer('last_insert_rowid()'));
    });
  }

  async script(sql: string): Promise<void> {
    // A script cannot be repeated after a failure half way, so wait for the write lock before it runs (in the same turn).
    await this.#retryBusy(() => {
      if (this.autocommit) this.#native.exec('BEGIN IMMEDIATE; ROLLBACK');
      this.#native.exec(sql);
    });
  }

  describe(sql: string): Json {
    const facts = readSql(sql);
    const statement = this.#translate(() => this.#prepare(sql));
    const params: Json[] = Array.from({ length: facts.parameterCount }, () => ({ name: null }));
    for (const [name, index] of facts.named) params[index] = { name };
    const cols = statement.reader ? statement.columns().map(({ name, type }) => ({ name, decltype: type })) : [];
    return { params, cols, is_explain: /^\s*explain/i.test(sql), is_readonly: facts.kind === 'read' };
  }

  #prepare(sql: string): Native.Statement {
    const { statements } = readSql(sql);
    if (statements === 0) throw new StatementError('SQL string does not contain any statement', 'SQL_NO_STATEMENT');
    if (statements > 1) throw new StatementError('SQL string contains more than one statement', 'SQL_MANY_STATEMENTS');
    return this.#native.prepare(sql);
  }

  #integer(expression: string): bigint {
    const row = this.#native.prepare(`SELECT ${expression}`).safeIntegers(true).raw(true).get([]);
    const value: unknown = Array.isArray(row) ? row[0] : undefined;
    return typeof value === 'bigint' ? value : 0n;
  }

  async #retryBusy<T>(work: () => T): Promise<T> {
    const pause = 2;
    for (let waited = 0; ; waited += pause) {
      try {
        return this.#translate(work);
      } catch (error) {
        // A read transaction that others have written past can never become a write: waiting would not help.
        const hopeless = !(error instanceof BusyError) || error.hopeless || waited >= this.#busyTimeout;
        if (hopeless || !this.#native.open) {
          this.#stuck ||= error instanceof BusyError;
          throw error;
        }
        await delay(pause);
      }
    }
  }

  #translate<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Native.SqliteError)) throw error;
      if (error.code.startsWith('SQLITE_BUSY')) throw new BusyError(error.message, error.code);
      // `sqld` gives the base code only, and a code of its own to texts that it cannot parse.
      const isInput = error.code === 'SQLITE_ERROR' && /syntax error|no such|incomplete input/.test(error.message);
      const message = isInput ? `SQL input error: ${error.message} (at offset 0)` : `SQLite error: ${error.message}`;
      const base = /^SQLITE_(?:CONSTRAINT|READONLY|IOERR|CANTOPEN|CORRUPT|LOCKED)/.exec(error.code)?.[0] ?? error.code;
      throw new StatementError(message, isInput ? 'SQL_INPUT_ERROR' : base);
    }
  }
}

class BusyError extends StatementError {
  readonly hopeless: boolean;
  constructor(message: string, exactCode: string) {
    super(`SQLite error: ${message}`, 'SQLITE_BUSY');
    this.hopeless = exactCode === 'SQLITE_BUSY_SNAPSHOT';
  }
}

function bind(
  sql: string,
  positional: readonly NativeValue[],
  named: ReadonlyMap<string, NativeValue>,
): readonly NativeValue[] {
  const facts = readSql(sql);
  if (named.size > 0) {
    if (positional.length > 0) {
      throw new StatementError('both positional and named arguments were given', 'ARGS_BOTH_POSITIONAL_AND_NAMED');
    }
    return [...facts.named.keys()].map((parameter) => {
      const value = named.get(named.has(parameter) ? parameter : parameter.slice(1));
      if (value === undefined) throw new StatementError(`value for parameter ${parameter} not found`, 'ARGS_INVALID');
      return value;
    });
  }
  if (positional.length !== facts.parameterCount) {
    throw new StatementError(`${facts.parameterCount} parameters, ${positional.length} values`, 'ARGS_INVALID');
  }
  return positional;
}

function statementResult(cols: readonly Json[], rows: readonly unknown[], changes: number, rowid: bigint): Json {
  return {
    cols,
    rows: rows.map((row) => array(row, 'row').map(encodeValue)),
    affected_row_count: changes,
    last_insert_rowid: rowid.toString(),
    replication_index: null,
  };
}

function encodeValue(value: unknown): Json {
  if (value === null) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value: value.toString() };
  if (typeof value === 'number') return { type: 'float', value };
  if (typeof value === 'string') return { type: 'text', value };
  if (value instanceof Uint8Array) return { type: 'blob', base64: Buffer.from(value).toString('base64') };
  throw new Error(`unexpected value from the database: ${typeof value}`);
}

function decodeValue(value: unknown): NativeValue {
  const it = object(value, 'value');
  switch (it.type) {
    case 'null':
      return null;
    case 'integer': {
      const digits = string(it.value, 'integer');
      if (!/^-?\d{1,19}$/.test(digits)) throw new ProtocolError(`bad integer: ${digits}`);
      const number = BigInt(digits);
      if (number !== BigInt.asIntN(64, number)) throw new ProtocolError(`integer out of range: ${digits}`);
      return number;
    }
    case 'float':
      if (typeof it.value !== 'number') throw new ProtocolError('bad float');
      return it.value;
    case 'text':
      return string(it.value, 'text');
    case 'blob':
      return Buffer.from(string(it.base64, 'base64'), 'base64');
    default:
      throw new ProtocolError(`unknown type of value: ${JSON.stringify(it.type)}`);
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProtocolError('the body is not JSON');
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function object(value: unknown, what: string): Json {
  if (!isObject(value)) throw new ProtocolError(`${what} must be an object`);
  return value;
}

function array(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(`${what} must be an array`);
  return value;
}

function optionalArray(value: unknown, what: string): readonly unknown[] {
  return value === undefined || value === null ? [] : array(value, what);
}

function string(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new ProtocolError(`${what} must be a string`);
  return value;
}

function integer(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new ProtocolError(`${what} must be an integer`);
  return value;
}
