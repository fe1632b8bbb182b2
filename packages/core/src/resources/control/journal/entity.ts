/** Calls as the journal of a world shows them. */

import * as z from 'zod';
import { object } from '../../../wire/object.ts';
import { boolean, decimal, id, instant, int, members, oneOf, text } from '../../../wire/types.ts';

/** Texts that calls have sent or got: the journal bounds them. */
const sent = () => text({ min: 0, max: 100_000 });

/** Whoever has called, as far as it was proved. */
const JournalCaller = object(() => ({
  kind: oneOf(['USER', 'APP', 'REQUEST_TOKEN', 'OPERATOR']).describe('The kind of credentials.'),
  user_id: text().nullable().describe('The user.'),
  screen_name: text().nullable().describe('The name of the user.'),
  app_id: text().nullable().describe('The app.'),
}));

/** An error of an answer. */
const JournalError = object(() => ({
  code: text().describe('The code, as in the catalogue.'),
  parameter: text({ max: 1000 }).nullable().describe('The parameter that it is about.'),
  message: text({ max: 10_000 }).describe('The sentence.'),
}));

/** A change of an entity. */
const JournalChange = object(() => ({
  entity: text().describe('The kind of entity, as in the account history.'),
  entity_id: text().describe('Its id.'),
  account_id: text().nullable().describe('Its account.'),
  change_type: oneOf(['CREATE', 'UPDATE', 'DELETE']).describe('What was done.'),
  fields: members().describe('The fields that changed, each with `before` and `after`; of a new entity with `after`.'),
}));

/** The headers that are kept of an answer, the beginning of its body, and the size of the whole. */
const JournalAnswer = object(() => ({
  headers: members().describe('Headers by name.'),
  body: sent().nullable().describe('The body, or its beginning, where it is text. Secrets are left out.'),
  size: int({ min: 0 }).describe('The size of the whole body.'),
}));

/** States of an answer. */
export const deliveries = ['SENT', 'PENDING', 'LOST'] as const;

/** A call. */
export const JournalCall = object(() => ({
  id: id().describe('The call: the `x-request-id` of its answer; of further calls of the same request with a number.'),
  time: instant().describe('When it arrived, by the time of the machine.'),
  world_time: instant().describe('The same by the time of the world.'),
  listener: text().describe('Where it arrived: `api`, `ads` or `sandbox`.'),
  adapter: oneOf(['REST', 'TRPC']).describe('The interface.'),
  operation: text().nullable().describe('What was called; null where the path is none of the interface.'),
  writes: boolean().describe('Whether the operation changes something.'),
  method: text().describe('The method of HTTP.'),
  base_url: sent().describe('The address under which the client reached the listener.'),
  path: sent().describe('The path.'),
  query: sent().describe('The query, as it was sent. Secrets are left out.'),
  caller: JournalCaller.nullable().describe('Who called; null where that was not proved.'),
  consumer_key: text({ max: 1000 }).nullable().describe('The key that a signature names, whether or not it was right.'),
  token_user_id: text()
    .optional()
    .describe('The user whom the token of a signature names, where the caller was not proved.'),
  account_id: text().nullable().describe('The account that the caller was let into.'),
  params: members().describe('The parameters, as they were sent. Secrets are left out.'),
  content_type: sent().nullable().describe('The type of the body of the request.'),
  body: sent().nullable().describe('The body of the request where it is text, or its beginning. Secrets are left out.'),
  left_out_bytes: int({ min: 0 }).describe('Bytes of the request that are not kept, such as those of media.'),
  left_out_digest: text()
    .optional()
    .describe('A digest of those bytes, under a key of the world: the same for the same bytes. Media have none.'),
  user_agent: sent().nullable().describe('How the client names itself.'),
  client_request: sent().nullable().describe('The `x-request-id` that the client sent.'),
  status: int().describe('The status of the answer.'),
  answer: JournalAnswer.describe('The answer.'),
  errors: z.array(JournalError).describe('Why it was rejected.'),
  diagnosis: members().nullable().describe('What is wrong with its signature.'),
  rate_limit: members().nullable().describe('The limits after the call: `user`, and `account` where one counts.'),
  fired: z.array(text()).describe('The rules of faults that fired.'),
  duration_ms: decimal({ min: 0 }).describe('The time until it was answered, in milliseconds.'),
  changes: z.array(JournalChange).describe('What it changed.'),
  changes_left_out: int({ min: 0 }).describe('The number of changes beyond those.'),
  dropped: boolean().optional().describe('True where a fault reset the connection before the answer.'),
  delivery: oneOf(deliveries).describe('Whether the answer reached the connection of the client, or was lost.'),
}));

/** A call. */
export type JournalCall = z.output<typeof JournalCall>;
