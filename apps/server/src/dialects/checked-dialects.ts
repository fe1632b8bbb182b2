import type { DialectFile } from '@broadside/core/dialect';

/**
 * Shipped dialects that need not be read and checked at each start, by name. The build puts those here that it has checked; a server that
 * runs from its sources has none, and reads the files.
 */
export const checkedDialects: ReadonlyMap<string, DialectFile> = new Map();
