/**
 * What is done once for a turn of the event loop, when all that has arrived in it is dealt with and before the loop waits again.
 * Turns belong to a thread, and so does what waits for their end.
 */

/** A piece of work. */
export type Work = () => void;

let waiting: Work[] = [];
let isInTurn = false;

/** Runs work when the turn ends: inside {@link asTurn}, when its work returns; otherwise once the loop has handled everything that has arrived. */
export function atTurnEnd(work: Work): void {
  waiting.push(work);
  if (waiting.length === 1 && !isInTurn) setImmediate(endTurn);
}

/** Runs work, and then at once what waits for the end of the turn. */
export function asTurn(work: Work): void {
  isInTurn = true;
  try {
    work();
  } finally {
    isInTurn = false;
    endTurn();
  }
}

function endTurn(): void {
  const all = waiting;
  waiting = [];
  for (const work of all) runApart(work);
}

/** Runs one of several independent pieces of work. An error is rethrown in a later turn: still uncaught, but only after the others have run. */
export function runApart(work: Work): void {
  try {
    work();
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}
