/** Commands of data retrieval: what was found in a table, and on stderr what was not. */
import type { DataOperation, WireProblem } from '@broadside/core';
import { type Column, type Entity, isEntity } from '../columns.ts';
import type { Invocation } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import { CliError } from '../errors.ts';
import type { FlagSection } from '../flag.ts';
import { Output, outputFlags } from '../output.ts';
import type { Parameter } from '../parameters.ts';
import { openSession } from '../session.ts';
import { printable } from '../text.ts';
import { checkParams, readGiven } from './params.ts';

/** Output and connection: posts belong to the platform, so there is no sandbox to choose. */
export function lookupFlags({ data }: DataOperation): readonly FlagSection[] {
  const flags = connectionFlags.flags.filter(({ name }) => name !== 'sandbox');
  const description =
    'Read as the user of the credentials, who sees what only they may see. Otherwise as the app, if its bearer token is known.';
  return [
    outputFlags(data, { many: true, raw: false, json: 'the whole answer, with includes and errors' }),
    { ...connectionFlags, flags: [...flags, { name: 'as-user', kind: 'boolean', hint: '', description }] },
  ];
}

const column = (name: string, flexible: boolean): Column => ({
  name,
  header: name.toUpperCase(),
  side: 'left',
  flexible,
});

/** Default fields of a post for display. */
const USUAL: readonly Column[] = [column('id', false), column('author', false), column('text', true)];

/** Runs an operation of data retrieval. */
export async function runLookup(
  operation: DataOperation,
  parameters: readonly Parameter[],
  call: Invocation,
): Promise<void> {
  const { io, flags } = call;
  const output = await Output.open(io, flags, operation.data);
  const given = await readGiven(operation, parameters, call);
  const { client } = await openSession(io, flags);
  checkParams(operation, parameters, given);
  // For people an author has a name, unless they say themselves what to bring along.
  const params = output.isUsual ? { expansions: ['author_id'], ...given } : given;
  const found = await client.lookup(operation, params, flags.on('as-user') ? { auth: 'oauth' } : {});
  const { data = [], includes, errors = [] } = found;
  const problems = errors.map(({ detail }) => printable(detail));
  if (output.format === 'json') await output.json(found);
  else if (data.length > 0) {
    const printed = output.many(USUAL);
    await printed.page(data.map((item) => withAuthor(item, includes)));
    await printed.end();
  }
  if (data.length === 0) {
    throw new CliError(errors.every(isMissing) ? 'notFound' : 'refused', 'Nothing of it can be shown:', problems);
  }
  if (output.format !== 'json') for (const problem of problems) await output.say(problem);
}

function isMissing({ type }: WireProblem): boolean {
  return type.endsWith('/resource-not-found');
}

function withAuthor(item: unknown, includes: unknown): unknown {
  if (!isEntity(item)) return item;
  const users = isEntity(includes) && Array.isArray(includes['users']) ? includes['users'].filter(isEntity) : [];
  const author: Entity | undefined = users.find(({ id }) => id === item['author_id']);
  return { ...item, author: author ? `@${String(author['username'])}` : item['author_id'] };
}
