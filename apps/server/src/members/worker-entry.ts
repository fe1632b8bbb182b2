import { pathToFileURL } from 'node:url';
import { packageFile } from '../package-file.ts';

/** Returns the file that the thread runs, and the options of Node for it: from the sources or from the build. */
export function workerEntry(): { readonly url: URL; readonly execArgv: string[] } {
  if (import.meta.url.endsWith('.ts')) {
    return { url: new URL('./worker/main.ts', import.meta.url), execArgv: ['--conditions=@broadside/source'] };
  }
  return { url: pathToFileURL(packageFile('dist/member-worker.js')), execArgv: [] };
}
