import { type FoundCredentials, platformOf } from '../credentials.ts';
import { CliError } from '../errors.ts';

/** The failure of a command of the operator where there is no token. */
export function noToken(inUse: FoundCredentials | undefined): CliError {
  const found = platformOf(inUse);
  return new CliError('unauthenticated', 'No operator token found', [
    `Set BROADSIDE_OPERATOR_TOKEN${found && !found.profile ? `, or put operator.token beside ${found.file}` : ''}.`,
    'A server with a demo writes operator.token into its data directory; the operator surface is closed otherwise.',
  ]);
}
