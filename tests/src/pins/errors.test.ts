/** The error catalogue: what each error is on the wire. */
import { errorCatalogue, errorCode } from '@broadside/core';
import { pin } from './pin.ts';

interface Entry {
  readonly status: number;
  readonly message: string;
  readonly number?: number;
  readonly label?: string;
}

const names = (Object.keys(errorCatalogue) as (keyof typeof errorCatalogue)[]).sort();
const catalogue = names.map((name) => {
  const { status, number, label, message }: Entry = errorCatalogue[name];
  return [name, { status, code: errorCode(name), number, label, message }] as const;
});

pin('errors', { 'catalogue.json': `${JSON.stringify(Object.fromEntries(catalogue), null, 2)}\n` });
