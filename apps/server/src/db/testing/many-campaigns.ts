/** Many campaigns in little time, made by the database itself. */
import type { Writer } from '../database.ts';

/**
 * Makes campaigns of the account `a`: a twentieth deleted, the newest eleventh drafts, names in no order, ten funding
 * instruments, and no budget in a third of them. Their ids are `m` and a number in hex, counted from 1.
 */
export async function fillCampaigns(writer: Writer, size: number): Promise<void> {
  const columns = await writer.query(`SELECT name, type, "notnull" FROM pragma_table_info('campaigns')`);
  const name = `printf('Campaign %07d', (i * 7919) % ${size})`;
  const made: Readonly<Record<string, string>> = {
    account_id: `'a'`,
    id: `printf('m%x', i)`,
    seq: 'i',
    created_at: `printf('2026-01-01T00:00:00.%09dZ', i)`,
    updated_at: `printf('2026-01-01T00:00:00.%09dZ', (i * 7919) % ${size})`,
    deleted: 'i % 20 = 0',
    name,
    name_folded: `lower(${name})`,
    name_collated: `lower(${name})`,
    entity_status: `CASE WHEN i > ${size} * 0.91 THEN 'DRAFT' ELSE 'PAUSED' END`,
    funding_instrument_id: `printf('f%d', i % 10)`,
    daily_budget_amount_local_micro: 'CASE WHEN i % 3 > 0 THEN ((i * 37) % 500 + 1) * 1000000 END',
  };
  const other = (type: unknown, required: unknown) => (required === 0n ? 'NULL' : type === 'integer' ? '0' : `''`);
  await writer.run(`INSERT INTO "campaigns" (${columns.map(([column]) => `"${column}"`).join(', ')})
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})
    SELECT ${columns.map(([column, type, required]) => made[String(column)] ?? other(type, required)).join(', ')} FROM n`);
}
