/** The document and the listener of authentication, data retrieval and media upload. */
import { contractTests } from './suite.ts';

await contractTests('api');
