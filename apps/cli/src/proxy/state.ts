/** The file that a running proxy leaves in the data directory, so that `broadside proxy env` knows its address. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { processMark } from '@broadside/server/place';
import { readJsonFile, textMembers, writePrivateFile } from '../profiles.ts';

function stateFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'proxy', 'running.json');
}

/** Writes the address of this process's proxy. @returns removes it */
export function announce(dataDirectory: string, url: string): () => void {
  const file = stateFile(dataDirectory);
  writePrivateFile(file, { url, pid: String(process.pid), process: processMark(process.pid) ?? '' });
  return () => {
    // Another proxy may have taken its place.
    if (textMembers(readJsonFile(file))['pid'] === String(process.pid)) rmSync(file, { force: true });
  };
}

/** The address of the proxy that runs on a data directory. */
export function runningProxy(dataDirectory: string): string | undefined {
  const { url, pid, process: mark } = textMembers(readJsonFile(stateFile(dataDirectory)));
  return mark !== undefined && processMark(Number(pid)) === mark ? url : undefined;
}
