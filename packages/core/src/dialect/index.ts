/** Dialects: other vocabularies of the interface. A dialect is data; everything else follows from it and the contract. */
export { checkDialect, type DialectIssue } from './check.ts';
export { Dialect, type OperationDialect, type PathForms } from './dialect.ts';
export { DialectFile } from './format.ts';
