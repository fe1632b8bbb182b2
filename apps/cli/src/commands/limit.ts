/** The flags that say how much of a list is wanted. */
import { UsageError } from '../errors.ts';
import type { FlagSection } from '../flag.ts';
import type { FlagValues } from '../flags.ts';
import type { Output } from '../output.ts';

/** The section of the help. */
export const pagingFlags: FlagSection = {
  title: 'Paging',
  flags: [
    { name: 'limit', kind: 'text', hint: 'number', description: 'List this many, over as many pages as that takes.' },
    { name: 'all', kind: 'boolean', hint: '', description: 'List everything. Without --limit and --all: one page.' },
  ],
};

/** Returns the number of entities to list; `undefined` for one page. */
export function limitOf(flags: FlagValues, output: Output): number | undefined {
  const text = flags.text('limit');
  if (flags.on('all') && text !== undefined) throw new UsageError('--all and --limit cannot be used together');
  if (text === undefined && !flags.on('all')) return undefined;
  if (output.format === 'raw') throw new UsageError('--raw shows one answer, so --limit and --all do not go with it');
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`--limit must be a whole number greater than zero, not "${text}"`);
}
