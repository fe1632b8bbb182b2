/**
 * The built server, put together once as it is and once with signatures and nonces taken on trust: what lies between the two
 * is what verification costs. Prints the path of its credentials and serves until it is killed.
 */
import { pathToFileURL } from 'node:url';
import type * as Server from '@broadside/server';

const [library = '', directory = '', mode = ''] = process.argv.slice(2);
const built: typeof Server = await import(pathToFileURL(library).href);
const { createApp, createLogger, createServices, ensureDemo, readConfig, World } = built;

const world = await World.open({ dataDirectory: directory });
const services = createServices(world, { rateLimits: 'off', operatorToken: undefined });
const trusting = { ...services, proofs: { verifySignature: () => true, consumeNonce: () => true } };
const logger = createLogger(readConfig({ BROADSIDE_LOG_FORMAT: 'json' }));
const app = createApp({ services: mode === 'trust' ? trusting : services, listener: 'ads', logger });
const ads = await app.listen({ host: '127.0.0.1', port: 0 });
const file = await ensureDemo(world, { api: ads, ads, sandbox: ads });
process.stderr.write(`${file}\n`);
