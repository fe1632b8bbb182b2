/** The document and the listener of the sandbox: part 1 of 2 of its operations. */
import { contractTests } from './suite.ts';

await contractTests('sandbox', { index: 0, count: 2 });
