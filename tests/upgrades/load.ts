/** The content of a store's file on a libSQL server. */
import Sqlite from 'libsql';
import { z } from 'zod';
import { openDatabase } from '../../apps/server/src/db/open-database.ts';

const schema = z.array(z.object({ type: z.string(), name: z.string(), sql: z.string() }));
const cell = z.union([z.string(), z.bigint(), z.number(), z.null(), z.instanceof(Uint8Array)]);

/** Copies a file onto an empty server. */
export async function loadStore(file: string, url: string): Promise<void> {
  const source = new Sqlite(file, { readonly: true });
  const target = await openDatabase(url);
  try {
    const made = source.prepare('SELECT "type", "name", "sql" FROM sqlite_master WHERE "sql" IS NOT NULL').all();
    const all = schema.parse(made).filter(({ name }) => !name.startsWith('sqlite_'));
    const of = (type: string) => all.filter((one) => one.type === type);
    const rows = of('table').flatMap(({ name }) => {
      // Those that are generated are not among them.
      const columns = z
        .array(z.object({ name: z.string() }))
        .parse(source.prepare(`SELECT "name" FROM pragma_table_info('${name}')`).all())
        .map((column) => `"${column.name}"`);
      const content = source.prepare(`SELECT ${columns.join()} FROM "${name}"`).safeIntegers(true).raw(true).all();
      const sql = `INSERT INTO "${name}" (${columns.join()}) VALUES (${columns.map(() => '?').join()})`;
      return z
        .array(z.array(cell))
        .parse(content)
        .map((args) => ({ sql, args }));
    });
    // Triggers last: what they count is among the rows.
    await target.applyMigration([...of('table'), ...rows, ...of('index'), ...of('trigger')]);
  } finally {
    await target.close();
    source.close();
  }
}
