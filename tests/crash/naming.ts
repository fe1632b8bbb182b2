/** The form by which lists order names, which a start fills: it must be that of the name. */
import { strict as assert } from 'node:assert';
import { collatedName } from '@broadside/core/text';
import Sqlite from 'libsql';
import { z } from 'zod';

const Rows = z.array(z.tuple([z.string(), z.string()]));

/** @throws AssertionError */
export function checkNames(file: string): void {
  const database = new Sqlite(file, { readonly: true });
  try {
    for (const table of ['campaigns', 'cards', 'custom_audiences', 'targeting_criteria']) {
      const rows = Rows.parse(database.prepare(`SELECT "name", "name_collated" FROM "${table}"`).raw(true).all());
      assert(rows.length > 0, `${table} has rows`);
      for (const [name, collated] of rows) assert.equal(collated, collatedName(name), `the order of names in ${table}`);
    }
  } finally {
    database.close();
  }
}
