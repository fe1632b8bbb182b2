import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Replaces a file as a whole. Durable when it returns. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { flush: true, mode: 0o600 });
  renameSync(`${file}.new`, file);
  syncDirectory(path.dirname(file));
}

/** Makes the names in a directory durable. */
export function syncDirectory(directory: string): void {
  // Windows neither opens directories nor needs it.
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a directory of private files. Durable when it returns, also when an earlier process made it and had no time to sync it.
 * @param root the directory below which all are made
 */
export function makeDurableDirectory(directory: string, root: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (let made = directory; made !== root; made = path.dirname(made)) syncDirectory(path.dirname(made));
}
