/** The built server with a leak: something of each request is kept for good. A soak that passes it is worth nothing. */
import { subscribe } from 'node:diagnostics_channel';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const kept: number[][] = [];
subscribe('http.server.request.start', () => {
  kept.push(Array.from({ length: 10_000 }, () => 0.5));
});
await import(pathToFileURL(path.resolve(import.meta.dirname, '../../apps/server/dist/main.js')).href);
