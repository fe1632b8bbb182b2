import type { Flag } from './flag.ts';

/** Understood by every command. */
export const globalFlags: readonly Flag[] = [
  { name: 'help', short: 'h', kind: 'boolean', hint: '', description: 'Say how to use the command.' },
];
