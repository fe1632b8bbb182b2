/** Identifies a process beyond its number, which another one gets after its end. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns a text that only this process has had, or `undefined` when none with the number runs here. On Linux the boot of the machine
 * and the time since then at which the process began, elsewhere the time by `ps`.
 */
export function processMark(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return process.platform === 'linux' ? linuxMark(pid) : psMark(pid);
}

/** Returns a text that this machine has until it is started again; `undefined` where none is known. */
export function bootMark(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

function linuxMark(pid: number): string | undefined {
  try {
    // The second field is the name in parentheses, in which anything may stand (proc(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // One that has ended and was not waited for yet.
    if (state === 'Z' || state === 'X') return undefined;
    const boot = bootMark();
    return boot === undefined ? undefined : `${boot} ${rest[18]}`;
  } catch {
    return undefined;
  }
}

function psMark(pid: number): string | undefined {
  try {
    const began = execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8', stdio: 'pipe' }).trim();
    return began === '' ? undefined : began;
  } catch {
    return undefined;
  }
}
