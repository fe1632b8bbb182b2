// `npm start`, `npm test` and the other root scripts: set up what the checkout needs, then run the command.
import { spawn } from 'node:child_process';
import { environment, prepare, root, run } from './toolchain.mjs';

const [command = '', ...rest] = process.argv.slice(2);

const build = () => run('turbo', ['run', 'build', '--output-logs=errors-only', '--log-prefix=none', '--no-update-notifier'], { quiet: true });

/** @type {Record<string, () => void>} */
const commands = {
  start: () => {
    build();
    // A process of its own, signals handed on: SIGTERM must reach the server, and its exit code the shell.
    const server = spawn('node', ['apps/server/dist/main.js', ...rest], { cwd: root, env: environment(), stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
    server.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
  },
  build,
  test: () => {
    build();
    run('vitest', ['run', ...rest]);
  },
  dev: () => run('node', ['--watch', '--conditions=@broadside/source', 'apps/server/src/main.ts', ...rest]),
  check: () => run('turbo', ['run', 'typecheck', '--output-logs=errors-only', '--no-update-notifier']),
  fix: () => run('biome', ['check', '--write', '.']),
  bench: () => {
    build();
    run('node', ['--conditions=@broadside/source', 'tests/bench/main.ts', ...rest]);
  },
  changeset: () => run('changeset', rest),
};

const chosen = commands[command];
if (!chosen) {
  process.stderr.write(`unknown command "${command}"; one of: ${Object.keys(commands).join(', ')}\n`);
  process.exit(2);
}
prepare();
chosen();
