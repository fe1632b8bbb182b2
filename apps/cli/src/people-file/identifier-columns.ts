/** Which column of a file holds what: by the names of its header, or as the command line says. */
import { type IdentifierKind, identifierKinds } from '@broadside/core/identifiers';
import { UsageError } from '../errors.ts';
import { didYouMean } from '../suggest.ts';
import { printable } from '../text.ts';

/** The content of a column: identifiers of a kind, or something that a row can have of its own. */
export type ColumnUse = IdentifierKind | 'effective_at' | 'expires_at';

/** The columns of a file. */
export interface Columns {
  /** For each column what it holds; `undefined` for one that is not used. */
  readonly uses: readonly (ColumnUse | undefined)[];
  /** Names for messages. */
  readonly names: readonly string[];
}

const aliases: Readonly<Record<ColumnUse, readonly string[]>> = {
  email: ['e_mail', 'mail', 'email_address', 'e_mail_address', 'mail_address'],
  device_id: ['device', 'idfa', 'gaid', 'aaid', 'maid', 'advertising_id', 'mobile_advertising_id', 'android_id'],
  handle: ['screen_name', 'username', 'user_name'],
  platform_id: ['platform_user_id'],
  phone_number: [
    'phone',
    'telephone',
    'telephone_number',
    'tel',
    'mobile',
    'mobile_phone',
    'mobile_number',
    'cell_phone',
  ],
  partner_user_id: [],
  effective_at: [],
  expires_at: [],
};

const uses = new Map<string, ColumnUse>(
  [...identifierKinds, 'effective_at' as const, 'expires_at' as const].flatMap((use) =>
    [use, ...aliases[use]].map((name) => [name, use] as const),
  ),
);

/** Returns the content of a column of this name. A number at the end, and words that say that it is hashed, do not matter. */
function useOf(name: string): ColumnUse | undefined {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s._-]+/g, '_')
    .replace(/_?\d$/, (end) => (name.toLowerCase().includes('sha') ? end : ''))
    .replace(/^(?:sha_?256|hashed)_|_(?:sha_?256|hashed|hash)$/g, '');
  return uses.get(plain);
}

/** True for a column of identifiers. */
export function isIdentifierUse(use: ColumnUse | undefined): use is IdentifierKind {
  return identifierKinds.some((kind) => kind === use);
}

/** Returns whether the cells are a header: each cell of a column that is used has a name of that use. */
export function isHeader(cells: readonly string[], { uses: own }: Columns): boolean {
  return own.every((use, index) => use === undefined || useOf(cells[index] ?? '') === use);
}

/** The columns by a header. @throws UsageError when it names no identifier */
export function columnsOfHeader(cells: readonly string[], file: string): Columns {
  const columns = { uses: cells.map(useOf), names: cells.map((cell) => printable(cell.trim())) };
  if (columns.uses.some(isIdentifierUse)) return columns;
  throw new UsageError(`The first line of ${file} names no kind of identifier`, [
    // A first line of data holds identifiers, which are not for the screen.
    `A header has names such as ${identifierKinds.join(', ')}.`,
    'For a file without one, say what its columns are, - for one to leave out: --columns email,phone_number,-',
  ]);
}

/** The columns by the command line. @throws UsageError */
export function columnsOfFlag(text: string): Columns {
  const names = text.split(',').map((name) => name.trim());
  const own = names.map((name) => (name === '-' || name === '' ? undefined : (useOf(name) ?? unknown(name))));
  if (own.some(isIdentifierUse)) return { uses: own, names };
  throw new UsageError(`--columns names no kind of identifier; there are ${identifierKinds.join(', ')}`);
}

function unknown(name: string): never {
  const known = [...uses.keys()];
  const hint = didYouMean(name, known) ?? `there are ${identifierKinds.join(', ')}, and - for one to leave out`;
  throw new UsageError(`--columns: there is no kind of identifier "${printable(name)}"; ${hint}`);
}

/** Names of the columns that are not used, for the user to see. */
export function unusedColumns({ uses: own, names }: Columns): string[] {
  return names.filter((name, index) => own[index] === undefined && name !== '-' && name !== '');
}
