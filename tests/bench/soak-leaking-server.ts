/** The built server with a leak: something of each request is kept for good. A soak that passes it is worth nothing. */
import { subscribe } from 'node:diagnostics_channel';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const kept: number[][] = [];
let next_ms = 0;
subscribe('http.server.request.start', () => {
  // Enough to be found on a slow machine, at most 100 times a second, so that a fast one does not run out of memory.
  if (performance.now() < next_ms) return;
  next_ms = performance.now() + 10;
  kept.push(Array.from({ length: 100_000 }, () => 0.5));
});
await import(pathToFileURL(path.resolve(import.meta.dirname, '../../apps/server/dist/main.js')).href);
