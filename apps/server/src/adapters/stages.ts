/**
 * Answers the reads of a turn of the event loop in stages: first all of them are taken from their connections, then all are
 * answered, then all answers are sent. The code of a stage stays in the caches of the processor for all of them, where one request
 * after the other would bring the whole way of a request there again and again (ADR 0017 has the figures).
 */
import { asTurn, runApart, type Work } from '../turn-end.ts';

/** Other work gets its turn after so many milliseconds. */
const LONGEST_MS = 8;

/** A connection, as far as it matters here. */
interface Connection {
  readonly destroyed: boolean;
}

interface Waiting {
  readonly connection: Connection;
  readonly work: Work;
}

/** The stages of a listener. Reads are answered in the order in which they came. */
export class Stages {
  #answering: Waiting[] = [];
  #sending: Work[] = [];
  #isPlanned = false;
  readonly #now: () => number;

  /** @param now a monotonic time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Answers a request when those that have arrived are read, unless its connection has ended by then. */
  answer(connection: Connection, work: Work): void {
    this.#answering.push({ connection, work });
    this.#plan();
  }

  /** Sends an answer when those to the other requests are known, or when the turn has taken long. */
  send(work: Work): void {
    this.#sending.push(work);
    this.#plan();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    // With what all of them wait for, such as the log of nonces.
    asTurn(() => this.#answerAll());
    const sending = this.#sending;
    this.#sending = [];
    for (const work of sending) runApart(work);
    this.#isPlanned = false;
    if (this.#answering.length > 0 || this.#sending.length > 0) this.#plan();
  }

  #answerAll(): void {
    const answering = this.#answering;
    this.#answering = [];
    const began = this.#now();
    let done = 0;
    for (const waiting of answering) {
      answer(waiting);
      done += 1;
      if (this.#now() - began >= LONGEST_MS) break;
    }
    if (done < answering.length) this.#answering = [...answering.slice(done), ...this.#answering];
  }
}

function answer({ connection, work }: Waiting): void {
  if (!connection.destroyed) runApart(work);
}
