/** The thread that merges members: answers requests, and merges the log in between. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Engine } from './engine.ts';
import type { FromWorker, ToWorker, WorkerStart } from './protocol.ts';

/** On a busy core requests come first; merging still gets a quarter of it. */
const NICENESS = 5;

stepBack();
const port = parentPort;
if (!port) throw new TypeError('this file is run by a thread');
const send = (message: FromWorker) => port.postMessage(message, columnsOf(message));
const start: WorkerStart = workerData;
const engine = new Engine(start, send);

port.on('message', (message: ToWorker) => {
  if (message.name === 'appended') {
    engine.appended(message);
    return;
  }
  const { id } = message;
  answer(message).then(
    (result) => send({ name: 'result', id, result }),
    (error: unknown) =>
      send({ name: 'rejected', id, error: error instanceof Error ? error : new Error(String(error)) }),
  );
});

async function answer(message: Exclude<ToWorker, { name: 'appended' }>): Promise<unknown> {
  switch (message.name) {
    case 'settle':
      return engine.settle(message.audience);
    case 'matched':
      return engine.matched(message.audience);
    case 'figures':
      return engine.figures(message.audience);
    case 'drop':
      return engine.drop(message.audience, message.seq, message.segment);
    case 'sweep':
      return engine.sweep(message.now_s, message.segment);
    case 'people':
      return engine.setPeople(message.people);
    case 'peopleLoaded':
      return engine.peopleLoaded();
    case 'close':
      await engine.close();
      port?.close();
      return undefined;
  }
}

/** The memory of the columns in a message, made for it alone. Handing it over spares the process copying millions of numbers at once. */
function columnsOf(message: FromWorker): ArrayBuffer[] {
  const members = message.name === 'changed' ? message.changed : message.name === 'result' ? message.result : undefined;
  if (typeof members !== 'object' || members === null) return [];
  return Object.values(members).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}

/** Lowers the priority of this thread, on Linux, where threads have one of their own. */
function stepBack(): void {
  try {
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // Merging does without.
  }
}
