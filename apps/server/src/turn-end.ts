/**
 * What is done once for a turn of the event loop, when all that has arrived in it is dealt with and before the loop waits again.
 * Turns belong to a thread, and so does what waits for their end.
 */

/** Something to do. */
export type Work = () => void;

let waiting: Work[] = [];
let isInTurn = false;

/** Does something at the end of the turn: of that of {@link asTurn}, or when the loop has gone through all that has arrived. */
export function atTurnEnd(work: Work): void {
  waiting.push(work);
  if (waiting.length === 1 && !isInTurn) setImmediate(endTurn);
}

/** Does something, and then at once what waits for the end of the turn. */
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
  for (const work of all) attempt(work);
}

/** Does something that others do not depend on: what it throws ends the process as it would by itself, but after they are done. */
export function attempt(work: Work): void {
  try {
    work();
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}
