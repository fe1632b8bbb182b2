/** Dialect files, for programs that stand before a server. */
export { DialectFileError } from './dialect-file-error.ts';
export { loadDialects, shippedDialects } from './dialects.ts';
