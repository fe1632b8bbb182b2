/** `--sandbox` for operations that name the environment as a parameter: those of the operator, and actions of the platform. */
import { connectionFlags, environmentOf, type FoundCredentials } from '../credentials.ts';
import { UsageError } from '../errors.ts';
import type { Flag } from '../flag.ts';
import type { FlagValues } from '../flags.ts';
import type { Parameter } from '../parameters.ts';
import type { Params } from './params.ts';

/** Returns whether an operation takes the environment as a parameter. */
export function hasEnvironment(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ name }) => name === 'environment');
}

/** The flags that choose credentials, with `--sandbox` where an operation takes the environment. */
export function connectionFlagsFor(parameters: readonly Parameter[]): readonly Flag[] {
  return connectionFlags.flags.flatMap((flag) => {
    if (flag.name !== 'sandbox') return [flag];
    return hasEnvironment(parameters) ? [{ ...flag, description: 'The same as --environment sandbox.' }] : [];
  });
}

/**
 * `--sandbox` and the profile's environment imply `--environment`, if an operation has that parameter.
 * @throws UsageError where the two flags contradict each other
 */
export function withEnvironment(
  params: Params,
  parameters: readonly Parameter[],
  flags: FlagValues,
  found: FoundCredentials | undefined,
): Params {
  if (!hasEnvironment(parameters)) return params;
  const chosen = environmentOf(flags, found?.values ?? {});
  if (params['environment'] === undefined) return chosen === 'sandbox' ? { ...params, environment: chosen } : params;
  if (flags.has('sandbox') && params['environment'] !== chosen) {
    throw new UsageError(
      `--environment ${String(params['environment'])} and --${chosen === 'sandbox' ? '' : 'no-'}sandbox contradict each other`,
    );
  }
  return params;
}
