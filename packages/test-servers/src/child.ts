/** A server that is a process of its own, which can be killed and stopped. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** What servers have in common, however they are started. */
export class Child {
  /** The process that was started last; undefined once it was killed. */
  protected process: ChildProcess | undefined;

  /** Ends it with SIGKILL, and waits for its end. */
  async kill(): Promise<void> {
    const running = this.process;
    this.process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  /** Has it stop where it is: it takes connections and never answers. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  /** Lets it go on. */
  thaw(): void {
    this.process?.kill('SIGCONT');
  }
}
