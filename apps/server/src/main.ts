#!/usr/bin/env node
import module from 'node:module';

// Compiled code is kept between starts: a third of the time to the first answer.
module.enableCompileCache?.();
const { main } = await import('./start.ts');
await main();
