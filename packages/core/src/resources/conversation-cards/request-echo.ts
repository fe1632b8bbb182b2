import type { NamedValues } from '../../operation/operation.ts';

/**
 * Builds the echo of cards: the parameters sent, and the type of the card, in small letters where it is read or deleted and
 * in capital ones where it is written (reference, conventions section 2). Our choice: nothing else that is derived from the
 * media is echoed, because the response has it.
 */
export function echoOf(card_type: string): (sent: NamedValues) => NamedValues {
  return (sent) => ({ ...sent, card_type });
}
