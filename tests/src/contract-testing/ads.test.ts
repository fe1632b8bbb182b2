/** The document and the listener of the advertising interface. */
import { contractTests } from './suite.ts';

await contractTests('ads');
