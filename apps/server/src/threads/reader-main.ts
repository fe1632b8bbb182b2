import module from 'node:module';

// Like the main thread: cached code makes the start faster.
module.enableCompileCache?.();
const { runReader } = await import('./reader.ts');
await runReader();
