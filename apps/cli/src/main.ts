#!/usr/bin/env node
import module from 'node:module';

// Before anything else is loaded, which needs what an older one lacks. The version is that of `engines`.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 2)) {
  process.stderr.write(`broadside needs Node 22.2 or newer; this is Node ${process.versions.node}\n`);
  process.exit(1);
}

// Compiled code is kept between calls: it halves the time to the first word.
module.enableCompileCache?.();
const { processIo, run } = await import('./run.ts');
const code = await run(process.argv.slice(2), processIo());
// A server that could not start has set its own.
if (code !== 0) process.exitCode = code;
