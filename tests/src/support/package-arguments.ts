/** True where tests use the packages as built: in CI, and where `TESTED_SERVER` is `build`. */
export const usesBuild = process.env['CI'] !== undefined || process.env['TESTED_SERVER'] === 'build';

/**
 * The arguments by which Node finds the packages that a program uses: in CI their builds, and otherwise their sources, which are never out of
 * date and take seconds longer to load.
 */
export const packageArguments: readonly string[] = usesBuild ? [] : ['--conditions=@broadside/source'];
