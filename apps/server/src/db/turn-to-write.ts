import type { Writer } from './access.ts';

/**
 * Takes the turn to write a store on a server, where a transaction begins with its first statement, or finds that it is still there.
 * @throws an error where the transaction has ended
 */
export async function keepTurn(writer: Writer): Promise<void> {
  await writer.query('SELECT 1 LIMIT 1');
}
