/** `broadside start`: the server, loaded only here. Its settings are flags under the names of their variables. */
import type { Command, LazyCommand } from '../command.ts';
import type { Flag } from '../flag.ts';
import { kebab } from '../flag.ts';

const PREFIX = 'BROADSIDE_';

/** Command lines are visible to everyone on the machine, so what is secret comes from the environment only. The key of TLS is named by its file. */
function isSecret(setting: string): boolean {
  return /_(TOKENS?|KEY|KEY_ID|PASSPHRASE)$/.test(setting) && setting !== 'BROADSIDE_TLS_KEY';
}

/** `BROADSIDE_API_PORT` as a flag is `--api-port`. */
function flagOf([setting, description]: readonly [string, string]): Flag {
  const name = kebab(setting.slice(PREFIX.length).toLowerCase());
  const hint = /port$/.test(name)
    ? 'port'
    : /url$/.test(name)
      ? 'url'
      : /dir(ectory)?$/.test(name)
        ? 'directory'
        : /^tls-(cert|key)$/.test(name)
          ? 'file'
          : 'value';
  return {
    name,
    kind: 'text',
    hint,
    description,
    ...(hint === 'directory' ? { completes: 'directory' as const } : {}),
  };
}

/** The start command over the settings that a server says it has. */
export function startCommandOf(settings: Readonly<Record<string, string>>, start: () => Promise<void>): Command {
  const entries = Object.entries(settings);
  const open = entries.filter(([name]) => !isSecret(name));
  const secret = entries.filter(([name]) => isSecret(name));
  return {
    kind: 'command',
    words: ['start'],
    summary: 'Start a server on this machine',
    description:
      'Runs until a signal ends it. Each flag sets the variable of its name: --api-port is BROADSIDE_API_PORT.',
    positionals: [],
    sections: [{ title: 'Settings', flags: open.map(flagOf) }],
    facts: secret.map(([name, description]) => [name, `${description} From the environment only.`] as const),
    examples: [{ line: 'broadside start' }, { line: 'broadside start --data-dir ./data --api-port 9000' }],
    run: async ({ io, flags }) => {
      for (const [setting] of open) {
        const value = flags.text(kebab(setting.slice(PREFIX.length).toLowerCase()));
        if (value !== undefined) io.env[setting] = value;
      }
      await start();
    },
  };
}

/** `broadside start`. */
export const startCommand: LazyCommand = {
  kind: 'lazy',
  words: ['start'],
  summary: 'Start a server on this machine',
  load: async () => {
    const { main, settings } = await import('@broadside/server/start');
    return startCommandOf(settings, main);
  },
};
