/** The browser of this machine: Debian's Chromium, or another Chromium on the path. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of Chromium; `undefined` on a machine without it. */
export const executablePath: string | undefined = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .concat('/usr/bin')
  .flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
  .find(isExecutable);

/** Says why a test is skipped. */
export const MISSING = 'Chromium is not installed; on Debian: apt-get install chromium';

/** Starts the browser, without a window. */
export function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(MISSING);
  return chromium.launch({ executablePath });
}
