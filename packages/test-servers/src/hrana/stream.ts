import type { Connection } from './connection.ts';
import { ProtocolError, StatementError } from './errors.ts';
import { array, integer, type Json, object, optionalArray, string } from './json.ts';
import { decodeValue, type NativeValue } from './values.ts';

/** One stream: a connection and the texts stored on it. */
export class Stream {
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

  /** Runs one request of a pipeline. Later requests run even if an earlier one failed. */
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
