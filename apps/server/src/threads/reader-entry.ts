import { pathToFileURL } from 'node:url';
import { packageFile } from '../package-file.ts';

/** Returns the file that reader threads run, and the options of Node for it: from the sources or from the build. */
export function readerEntry(): { readonly url: URL; readonly execArgv: string[] } {
  if (import.meta.url.endsWith('.ts')) {
    return { url: new URL('./reader-main.ts', import.meta.url), execArgv: ['--conditions=@broadside/source'] };
  }
  return { url: pathToFileURL(packageFile('dist/threads/reader-main.js')), execArgv: [] };
}
