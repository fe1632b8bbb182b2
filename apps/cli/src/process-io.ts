import { loopbackCallbacks } from '@broadside/core/resources/apps';
import { openBrowser } from './browser.ts';
import { OutputClosed, systemCode } from './errors.ts';
import type { Io, Sink } from './io.ts';
import { stdinSource } from './stdin.ts';

/** The streams, environment and network of this process. */
export function processIo(): Io {
  return {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: stdinSource(),
    env: process.env,
    cwd: process.cwd(),
    fetch: (url, init) => globalThis.fetch(url, init),
    openBrowser: (url) => void openBrowser(url, process.platform, process.env),
    callbacks: loopbackCallbacks,
    onInterrupt,
  };
}

/** A second ^C ends the process as usual. */
function onInterrupt(stop: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const undo = () => {
    for (const signal of signals) process.off(signal, once);
  };
  const once = () => {
    undo();
    stop();
  };
  for (const signal of signals) process.on(signal, once);
  return undo;
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  let closed = false;
  // Without a listener a pipe that was closed early would end the process with a stack trace.
  stream.on('error', (error) => {
    closed = true;
    if (systemCode(error) !== 'EPIPE') throw error;
  });
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      // A terminal that does not know its width says 0.
      return stream.columns || undefined;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new OutputClosed());
        stream.write(text, (error) => {
          if (!error) resolve();
          else reject(systemCode(error) === 'EPIPE' ? new OutputClosed() : error);
        });
      }),
  };
}
