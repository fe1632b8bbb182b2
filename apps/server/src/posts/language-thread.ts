/** Languages of texts by their words, told by a thread of this process that is started with the first text. */
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import type { LanguageAnswer, LanguageTask } from './language-worker.ts';

interface Waiting {
  readonly resolve: (language: string | undefined) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

let running: Thread | undefined;
let last = 0;

/**
 * Returns the language that words are most similar to, in ISO 639-1; `undefined` where it is not clear.
 * @throws Error when the thread has ended; the next text starts another one
 */
export function languageOfWords(words: string): Promise<string | undefined> {
  running ??= startThread();
  const { worker, waiting } = running;
  const task: LanguageTask = { number: ++last, words };
  return new Promise((resolve, reject) => {
    waiting.set(task.number, { resolve, reject });
    // The process does not end while a text waits.
    worker.ref();
    worker.postMessage(task);
  });
}

function startThread(): Thread {
  const { url, execArgv } = threadFile(new URL('./language-worker.ts', import.meta.url), 'dist/language-worker.js');
  const worker = new Worker(url, { execArgv, name: 'languages' });
  const thread: Thread = { worker, waiting: new Map() };
  const { waiting } = thread;
  const end = (error: Error) => {
    if (running === thread) running = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', ({ number, language }: LanguageAnswer) => {
    waiting.get(number)?.resolve(language);
    waiting.delete(number);
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => end(new Error(`the thread of languages ended with ${code}`)));
  return thread;
}
