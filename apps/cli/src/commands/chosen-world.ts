/** The world in which commands of the operator act. */
import { DEFAULT_WORLD } from '@broadside/core/resources/control';
import type { Invocation } from '../command.ts';
import type { FoundCredentials } from '../credentials.ts';
import type { Flag } from '../flag.ts';
import type { FlagValues } from '../flags.ts';
import { openControl, worldIdOf, worldInUse } from './control.ts';

/** The flag that names it. */
export const worldFlag: Flag = {
  name: 'world',
  kind: 'text',
  hint: 'id',
  description: 'The world, by id or name; `default` for the one that the server always has. Default: the one in use.',
};

/** An id of a world, which nobody has to be asked for. */
const ID = /^w[a-z0-9]{7}$/;

/**
 * The id of the world that `--world` names, or of the one in use; `undefined` for the default one.
 * @throws CliError when a name cannot be looked up
 */
export async function chosenWorld(
  io: Pick<Invocation['io'], 'env' | 'cwd' | 'fetch'>,
  flags: FlagValues,
  found: FoundCredentials | undefined,
): Promise<string | undefined> {
  const named = flags.text('world');
  if (named === undefined || named === DEFAULT_WORLD || ID.test(named)) {
    const id = named ?? worldInUse(found);
    return id === DEFAULT_WORLD ? undefined : id;
  }
  // Names are known at the control, whose address is another one.
  if (flags.has('base-url')) return named;
  return worldIdOf(await openControl(io, flags, found), named);
}
