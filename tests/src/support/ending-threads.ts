/** Loaded into a server process before it starts: SIGURG ends its reader threads at once, as an error in them would. */
import { syncBuiltinESMExports } from 'node:module';
import threads, { isMainThread, type WorkerOptions } from 'node:worker_threads';

if (isMainThread) {
  const readers = new Set<threads.Worker>();
  threads.Worker = class extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file, options);
      if (options?.name?.startsWith('reader ')) readers.add(this);
    }
  };
  syncBuiltinESMExports();
  process.on('SIGURG', () => {
    for (const reader of readers) void reader.terminate();
    readers.clear();
  });
}
