/** Group commit as bare servers have it: writes that arrive in one turn of the event loop share a durable transaction. */
import type Database from 'libsql';

/** As many writes share a commit at most as in the server. */
const MOST = 64;

interface Job {
  /** Runs the statements of a write. @returns the answer, which is sent after the commit */
  readonly write: () => () => void;
}

/** Runs `write` in the next shared transaction, and what it returns after the commit. */
export function groupCommit(db: Database.Database): (write: Job['write']) => void {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const waiting: Job[] = [];
  const drain = () => {
    const group = waiting.splice(0, MOST);
    begin.run();
    const answers = group.map(({ write }) => write());
    commit.run();
    for (const answer of answers) answer();
    if (waiting.length > 0) setImmediate(drain);
  };
  return (write) => {
    if (waiting.push({ write }) === 1) setImmediate(drain);
  };
}
