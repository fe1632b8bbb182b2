/** A log-in that waits for its PIN, kept for its owner alone until the PIN comes. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Env } from '../io.ts';
import { configDirectory, readJsonFile, textMembers, writePrivateFile } from '../profiles.ts';

/** A request token, and the app that it is for. */
export interface PendingLogIn {
  readonly base_url: string;
  readonly consumer_key: string;
  readonly oauth_token: string;
  readonly oauth_token_secret: string;
}

function pendingFile(env: Env): string {
  return path.join(configDirectory(env), 'login.json');
}

/** Keeps a log-in in place of any before it. */
export function keepPending(env: Env, { base_url, consumer_key, oauth_token, oauth_token_secret }: PendingLogIn): void {
  writePrivateFile(pendingFile(env), { base_url, consumer_key, oauth_token, oauth_token_secret });
}

/** The log-in that waits, if one does. */
export function readPending(env: Env): PendingLogIn | undefined {
  const { base_url, consumer_key, oauth_token, oauth_token_secret } = textMembers(readJsonFile(pendingFile(env)));
  return base_url && consumer_key && oauth_token && oauth_token_secret
    ? { base_url, consumer_key, oauth_token, oauth_token_secret }
    : undefined;
}

/** Forgets the log-in that waits. */
export function forgetPending(env: Env): void {
  rmSync(pendingFile(env), { force: true });
}
