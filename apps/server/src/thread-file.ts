import { pathToFileURL } from 'node:url';
import { packageFile } from './package-file.ts';

/**
 * Returns the file that a thread runs, and the options of Node for it: from the sources or from the build.
 * @param source the file among the sources
 * @param built the file of the build, in this package
 */
export function threadFile(source: URL, built: string): { readonly url: URL; readonly execArgv: string[] } {
  if (import.meta.url.endsWith('.ts')) return { url: source, execArgv: ['--conditions=@broadside/source'] };
  return { url: pathToFileURL(packageFile(built)), execArgv: [] };
}
