/** `broadside proxy`: lets clients that have the hosts of another service built in reach this server. Its parts are loaded only here. */
import type { Command, Invocation } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import { UsageError } from '../errors.ts';
import { prettyJson } from '../json.ts';
import { painter } from '../paint.ts';
import { findProxied } from '../proxy/upstreams.ts';
import { shellWord } from '../text.ts';

const DEFAULT_PORT = 8003;
const DEFAULT_HOST = '127.0.0.1';

/** `broadside proxy` and `broadside proxy env`. */
export const proxyCommand: Command = {
  kind: 'command',
  words: ['proxy'],
  summary: 'Lead published clients with built-in hosts to this server',
  description:
    "An HTTPS proxy for clients of the service whose dialect the server speaks. It takes the dialect's hosts, with certificates of an authority of its own that is made once in the data directory, and sends their requests to the server. All other hosts are rejected; nothing is passed on to the Internet. `broadside proxy env` prints the variables with which clients use it.",
  positionals: [
    {
      name: 'env',
      description: 'Print the variables for clients (Python, Node, Go, Ruby, curl) in place of running the proxy.',
      required: false,
      values: ['env'],
    },
  ],
  sections: [
    {
      title: 'Proxy',
      flags: [
        {
          name: 'port',
          kind: 'text',
          hint: 'port',
          description: `Its port; 0 takes a free one. Default: ${DEFAULT_PORT}.`,
        },
        { name: 'host', kind: 'text', hint: 'address', description: `Address to listen on. Default: ${DEFAULT_HOST}.` },
        {
          name: 'dialect',
          kind: 'text',
          hint: 'name,...',
          description: 'Only the hosts of these dialects: names, or paths of files. Default: all that ship.',
          completes: 'file',
        },
        { name: 'verbose', kind: 'boolean', hint: '', description: 'Print a line for each request.' },
        {
          name: 'data-dir',
          kind: 'text',
          hint: 'directory',
          description: 'The data directory, which keeps the certificate authority. Default: that of the server.',
          completes: 'directory',
        },
      ],
    },
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'The variables as JSON.' }] },
    { ...connectionFlags, flags: connectionFlags.flags.filter(({ name }) => name !== 'sandbox') },
  ],
  examples: [
    { line: 'broadside proxy' },
    { line: 'eval "$(broadside proxy env)"' },
    { line: 'broadside proxy env --json' },
  ],
  run: async (invocation) => {
    const [word] = invocation.words;
    if (word === undefined) return runProxy(invocation);
    if (word === 'env') return printVariables(invocation);
    throw new UsageError(`broadside proxy does not take "${word}"; there is env`);
  },
};

async function runProxy({ io, flags }: Invocation): Promise<void> {
  if (flags.on('json')) throw new UsageError('--json is for `broadside proxy env`');
  const port = portOf(flags.text('port'));
  const host = flags.text('host') ?? DEFAULT_HOST;
  const { findUpstreams, dataDirectory } = await findProxied(io, flags);
  const upstreams = findUpstreams();
  const [{ openAuthority }, { InterceptingProxy }, { hostsOfDialects }, { announce }] = await Promise.all([
    import('../proxy/authority.ts'),
    import('../proxy/intercepting-proxy.ts'),
    import('../proxy/dialect-hosts.ts'),
    import('../proxy/state.ts'),
  ]);
  const dialects = await hostsOfDialects(flags.text('dialect'), io.cwd);
  const hosts = new Map(dialects.flatMap((dialect) => [...dialect.hosts]));
  const now = io.now ?? Date.now;
  const authority = await openAuthority(dataDirectory, now());
  if (authority.notice !== undefined) await io.stderr.write(`${authority.notice}\n`);
  const say = (line: string) => void io.stderr.write(`${line}\n`).catch(() => {});
  const proxy = await InterceptingProxy.listen(
    {
      hosts,
      upstreams,
      findAgain: findUpstreams,
      authority,
      now,
      log: say,
      ...(flags.on('verbose') ? { onRequest: say } : {}),
    },
    host,
    port,
  );
  try {
    const url = urlOf(host, proxy.port);
    const withdraw = announce(dataDirectory, url);
    const ended = new Promise<void>((resolve) => io.onInterrupt(resolve));
    const paint = painter(io.stderr, io.env);
    const rows = [...hosts].map(([name, upstream]) => `  ${name.padEnd(30)}${upstreams[upstream].origin}\n`);
    await io.stderr.write(
      `${paint('bold', 'Broadside proxy')} at ${url}, dialect ${dialects.map(({ name }) => name).join(', ')}\n\n${rows.join('')}\nAll other hosts are rejected. In the shell of a client:\n  eval "$(${envLine({ io, flags })})"\n\n`,
    );
    await ended;
    withdraw();
  } finally {
    proxy.close();
  }
}

async function printVariables({ io, flags }: Invocation): Promise<void> {
  const { dataDirectory } = await findProxied(io, flags);
  const [{ openAuthority }, { exportLines, proxyVariables }, { runningProxy }] = await Promise.all([
    import('../proxy/authority.ts'),
    import('../proxy/environment.ts'),
    import('../proxy/state.ts'),
  ]);
  const authority = await openAuthority(dataDirectory, (io.now ?? Date.now)());
  if (authority.notice !== undefined) await io.stderr.write(`${authority.notice}\n`);
  const given = flags.has('port') || flags.has('host');
  const running = given ? undefined : runningProxy(dataDirectory);
  const port = portOf(flags.text('port'));
  if (port === 0) throw new UsageError('--port 0 names no port; leave it out where the proxy runs');
  const url = running ?? urlOf(flags.text('host') ?? DEFAULT_HOST, port);
  const variables = proxyVariables(url, authority.file, io.env);
  await io.stdout.write(flags.on('json') ? `${prettyJson(variables)}\n` : exportLines(variables));
  if (running === undefined && !given)
    await io.stderr.write(`No proxy runs on ${dataDirectory}; \`broadside proxy\` starts one at ${url}.\n`);
}

/** The command that prints the variables of the same proxy. */
function envLine({ io, flags }: Pick<Invocation, 'io' | 'flags'>): string {
  const chosen = ['data-dir', 'profile', 'credentials'].flatMap((name) => {
    const value = flags.text(name);
    return value === undefined ? [] : [`--${name}`, shellWord(value)];
  });
  return [io.env['BROADSIDE_CLI'] || 'broadside', 'proxy', 'env', ...chosen].join(' ');
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? DEFAULT_PORT);
  if (text === undefined || (/^\d{1,5}$/.test(text) && port <= 65535)) return port;
  throw new UsageError(`--port is "${text}"; it must be a port from 1 to 65535, or 0 for any free one`);
}

/** The proxy's address for clients on this machine. */
function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
