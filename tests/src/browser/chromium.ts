/**
 * The browser of this machine: Debian's Chromium, or another Chromium on the path. The one that has no windows takes a third of the
 * processor time of a whole one for each page.
 */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const folders = (process.env['PATH'] ?? '').split(path.delimiter).concat('/usr/bin');

/** Path of Chromium; `undefined` on a machine without it. */
export const executablePath: string | undefined = NAMES.flatMap((name) =>
  folders.map((folder) => path.join(folder, name)),
).find(isExecutable);

/** Says why a test is skipped. */
export const MISSING = 'Chromium is not installed; on Debian: apt-get install chromium-headless-shell';

/** Generous: the machine may be slow, and another test may have its processors. */
const TIMEOUT_MS = 300_000;

/** Starts the browser, without a window. Its pages wait as long as a slow machine needs. */
export async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(MISSING);
  const browser = await chromium.launch({ executablePath, timeout: TIMEOUT_MS });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(TIMEOUT_MS);
    return context;
  };
  return browser;
}
