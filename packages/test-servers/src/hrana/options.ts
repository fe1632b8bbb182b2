/** Facts about one SQL text. */
export interface SqlFacts {
  readonly kind: 'read' | 'write' | 'control' | 'pragma' | 'other';
  readonly parameterCount: number;
  /** Named parameters with their prefix and their zero-based position. */
  readonly named: ReadonlyMap<string, number>;
  /** Number of statements in the text; 2 means more than one. */
  readonly statements: 0 | 1 | 2;
}

/**
 * An injected fault of a pipeline request: `drop-request` closes the connection before anything is executed,
 * `drop-answer` executes everything and then closes it. The stream expires a moment later.
 */
export type HranaFault = 'drop-request' | 'drop-answer';

/** Options of {@link startHranaServer}. */
export interface HranaServerOptions {
  /** The database file. */
  readonly path: string;
  /**
   * Returns the facts of an SQL text that the native binding does not report. Passed in, because the package whose
   * tests start this server has it, and packages depend in one direction.
   */
  readonly readSql: (sql: string) => SqlFacts;
  /** When given, requests must carry it as a bearer token. */
  readonly authToken?: string;
  /** Milliseconds after which a stream without a request is closed and its transaction rolled back; defaults to 10,000. */
  readonly streamTimeout?: number;
  /** Milliseconds to wait for the write lock before SQLITE_BUSY; defaults to 5,000. */
  readonly busyTimeout?: number;
  /** Called for each pipeline request with the SQL texts in it; may inject a fault. */
  readonly fault?: (sql: readonly string[]) => HranaFault | undefined;
  /** Called for each request over a WebSocket with the SQL texts in it, which is run when the promise resolves. */
  readonly hold?: (sql: readonly string[]) => Promise<void> | undefined;
}
