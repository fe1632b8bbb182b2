/** Parts of the export of an app that the platform store holds, without what opens anything. See `exported.ts`. */
import type { Database } from '../db/database.ts';
import * as reads from './export-statements.ts';
import type { Exported } from './exported.ts';

/** Rows that one statement goes through: there is no index of tokens by app. */
const SCANNED = 5_000;

export class AppExports {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A part of all access tokens. */
  async accessTokens(app_id: string, position: string): Promise<Exported> {
    const scan = { after: BigInt(position || 0), count: SCANNED };
    const records = await reads.scanTokensOf.all(this.#database, { ...scan, app_id });
    const [end] = await reads.endOfTokens.all(this.#database, scan);
    return { records, next: end && `${end.number}` };
  }

  async bearerTokens(app_id: string): Promise<Exported> {
    return { records: await reads.listBearerTokens.all(this.#database, { app_id }) };
  }
}
