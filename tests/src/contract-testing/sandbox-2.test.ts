/** The document and the listener of the sandbox: part 2 of 2 of its operations. */
import { contractTests } from './suite.ts';

await contractTests('sandbox', { index: 1, count: 2 });
