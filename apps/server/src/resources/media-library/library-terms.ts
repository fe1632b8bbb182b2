/** The rows of the index of a library. Each write of a record writes its terms in the same transaction. */
import { and, eq, sql } from 'drizzle-orm';
import { query } from '../../db/query-builder.ts';
import { statement } from '../../db/statement.ts';
import { among, types } from '../../db/value-types.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import type { LibraryMediaRow } from './entity.ts';
import { libraryTerms } from './table.ts';

const { account_id, seq, term } = libraryTerms;

const insertTerms = statement(
  { account_id, seq, terms: types.texts },
  (args) => sql`INSERT INTO ${libraryTerms} ("account_id", "term", "seq")
    SELECT ${args.account_id}, "given".value, ${args.seq} FROM json_each(${args.terms}) AS "given"`,
);
const deleteTerms = statement({ account_id, seq, terms: types.texts }, (args) =>
  query.delete(libraryTerms).where(and(eq(account_id, args.account_id), eq(seq, args.seq), among(term, args.terms))),
);

type Indexed = Pick<LibraryMediaRow, 'seq' | 'terms' | 'deleted'>;

/** Brings the index in step with a record. @param before the record until now; `undefined` for a new one */
export async function indexTerms(writer: AccountWriter, before: Indexed | undefined, after: Indexed): Promise<void> {
  const held = before && !before.deleted ? before : undefined;
  const wanted = after.deleted ? undefined : after;
  const kept = held && wanted && held.seq === wanted.seq ? new Set(held.terms) : new Set<string>();
  const gone = held?.terms.filter((word) => !(kept.has(word) && wanted?.terms.includes(word))) ?? [];
  const added = wanted?.terms.filter((word) => !kept.has(word)) ?? [];
  if (held && gone.length > 0) await writer.run(deleteTerms, { seq: held.seq, terms: gone });
  if (wanted && added.length > 0) await writer.run(insertTerms, { seq: wanted.seq, terms: added });
}
