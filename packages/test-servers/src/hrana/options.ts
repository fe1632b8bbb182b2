/** Facts about one SQL text. */
export interface SqlFacts {
  readonly kind: 'read' | 'write' | 'control' | 'pragma' | 'other';
  readonly parameterCount: number;
  /** Named parameters with their prefix and their position, counted from 0. */
  readonly named: ReadonlyMap<string, number>;
  /** Statements in the text; 2 is more than one. */
  readonly statements: 0 | 1 | 2;
}

/**
 * What happens to a pipeline request in place of an answer: `drop-request` cuts the connection before anything is
 * executed, `drop-answer` executes everything and then cuts it.
 */
export type HranaFault = 'drop-request' | 'drop-answer';

/** Options of {@link startHranaServer}. */
export interface HranaServerOptions {
  /** The database file. */
  readonly path: string;
  /**
   * The facts of an SQL text that the native binding does not report. Given, because the package whose tests start this server has
   * them, and packages depend one way.
   */
  readonly readSql: (sql: string) => SqlFacts;
  /** When given, requests must carry it as a bearer token. */
  readonly authToken?: string;
  /** Milliseconds after which a stream without a request is closed and its transaction rolled back; 10,000 by default. */
  readonly streamTimeout?: number;
  /** Milliseconds to wait for the write lock before SQLITE_BUSY; 5,000 by default. */
  readonly busyTimeout?: number;
  /** Called for each pipeline request with the SQL texts in it; may choose a fault. */
  readonly fault?: (sql: readonly string[]) => HranaFault | undefined;
}
