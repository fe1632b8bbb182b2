import { type HranaServer, type HranaServerOptions, startHranaServer } from '@broadside/test-servers/hrana';
import { readSql } from '../sql-text.ts';

/** Starts a libSQL server for tests on a free port of the loopback interface. */
export function startSqlServer(options: Omit<HranaServerOptions, 'readSql'>): Promise<HranaServer> {
  return startHranaServer({ ...options, readSql });
}
