import type { Reject } from '@broadside/core';
import { foldName } from '../../db/fold-name.ts';
import type { CatalogueWriter } from '../../world/catalogue.ts';
import { type BusinessRow, business } from './entity.ts';

export { type BusinessRow, business } from './entity.ts';

/** Creates a business. Our choice: names are unique in any case of letters, so that the operator can tell them apart. */
export async function createBusiness(
  reject: Reject<'ALREADY_EXISTS'>,
  catalogue: CatalogueWriter,
  name: string,
): Promise<BusinessRow> {
  if (!(await catalogue.of(business).existing({ name_folded: foldName(name) }))) {
    return catalogue.of(business).insert({ name });
  }
  const message = `There is a business with the name "${name}" already`;
  throw reject.error({ error: 'ALREADY_EXISTS', parameter: 'name', value: name, message });
}
