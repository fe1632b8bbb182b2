/** The document and the listener of the sandbox. */
import { contractTests } from './suite.ts';

await contractTests('sandbox');
