/** Statements of a batch, and what they give. */
import type { LibsqlError } from '@libsql/client/sqlite3';
import type { WsStream } from '@libsql/hrana-client';
import type { BoundValue } from '../arguments.ts';
import type { Row } from '../native-connection.ts';

/** A batch as the protocol has it. */
export type Batch = Parameters<WsStream['_batch']>[0];

/** When a step is run, by the outcomes of those before it, which are counted from 0. */
export type Condition = NonNullable<Batch['steps'][number]['condition']>;

/** One statement of a batch. */
export interface Step {
  readonly sql: string;
  readonly args: readonly BoundValue[];
  /** Always, by default. */
  readonly condition?: Condition | undefined;
}

/** What a statement gave. */
export interface Done {
  readonly rows: readonly Row[];
  readonly changed: number;
}

/** The outcome of a step: `undefined` where its condition did not hold. */
export type Outcome = Done | LibsqlError | undefined;
