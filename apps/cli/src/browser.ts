/** Shows an address in the browser of the desktop. The address is printed as well, so failing is no failure. */
import { spawn } from 'node:child_process';
import type { Env } from './io.ts';

/** The program that opens an address, and its arguments; `undefined` where there is no desktop. No shell reads them. */
export function opener(url: string, platform: NodeJS.Platform, env: Env): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open', url];
  // `start` is a word of cmd.exe, to which an & in the address begins another command.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open', url] : undefined;
}

/** Opens an address and waits for nothing. */
export function openBrowser(url: string, platform: NodeJS.Platform, env: Env): void {
  const found = /^https?:\/\//.test(url) ? opener(url, platform, env) : undefined;
  if (!found) return;
  const [program, ...args] = found;
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
