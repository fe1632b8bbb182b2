/** The whole command line as a tree: the contract's operations, and what the command brings itself. */
import { contract, controlContract, dataContract, operatorContract } from '@broadside/core';
import { SERVE_WORD, serveCommand } from './ci/serve.ts';
import type { Command, Group, Node } from './command.ts';
import { apiCommand } from './commands/api.ts';
import { withFollow } from './commands/audit-follow.ts';
import { authGroup } from './commands/auth.ts';
import { backupGroup } from './commands/backup.ts';
import { contractCommands } from './commands/call.ts';
import { checkCommand } from './commands/check.ts';
import { ciCommand } from './commands/ci.ts';
import { COMPLETE_WORD, completeCommand, completionCommand } from './commands/completion.ts';
import { doctorGroup } from './commands/doctor.ts';
import { envCommand } from './commands/env.ts';
import { withExport } from './commands/export-user.ts';
import { helpCommand } from './commands/help.ts';
import { journalGroup } from './commands/journal.ts';
import { loginCommand } from './commands/login.ts';
import { logoutCommand } from './commands/logout.ts';
import { mediaGroup } from './commands/media.ts';
import { libraryAddCommand } from './commands/media-library-add.ts';
import { audienceUploadCommand, doNotReachUploadCommand } from './commands/people-upload.ts';
import { postsPreviewCommand } from './commands/posts-preview.ts';
import { proxyCommand } from './commands/proxy.ts';
import { restartCommand } from './commands/restart.ts';
import { seedCommand } from './commands/seed.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { stopCommand } from './commands/stop.ts';
import { waitCommand } from './commands/wait.ts';
import { whoamiCommand } from './commands/whoami.ts';
import { worldGroup } from './commands/world.ts';

/** Builds the tree. */
export function commandTree(): Group {
  const advertising = new Map(contractCommands({ ...contract }));
  const data: [string, Node][] = contractCommands({ ...dataContract }).map(([name, node]) => [
    name,
    withCommand(joined(node, advertising.get(name)), additions.get(name)),
  ]);
  data.push(['media', mediaGroup]);
  const listed = new Set(data.map(([name]) => name));
  const resources = [...advertising]
    .filter(([name]) => !listed.has(name))
    .map(([name, node]): [string, Node] => [name, withCommand(node, additions.get(name))]);
  const operator = contractCommands({ ...operatorContract }).map(([name, node]): [string, Node] => [
    name,
    withFollow(withExport(node)),
  ]);
  const { worlds: _, ...inWorlds } = controlContract.control;
  const control: [string, Node][] = [
    ['world', worldGroup()],
    ...contractCommands(inWorlds).map(([name, node]): [string, Node] => [
      name,
      name === 'journal' ? journalGroup(node) : node,
    ]),
  ];
  const server: [string, Node][] = [
    ['start', startCommand],
    ['wait', waitCommand],
    ['status', statusCommand],
    ['restart', restartCommand],
    ['stop', stopCommand],
    ['ci', ciCommand],
    ['seed', seedCommand],
    ['backup', backupGroup],
    ['check', checkCommand],
    ['proxy', proxyCommand],
  ];
  const own: [string, Node][] = [
    ['login', loginCommand],
    ['logout', logoutCommand],
    ['whoami', whoamiCommand],
    ['auth', authGroup],
    ['env', envCommand],
    ['api', apiCommand],
    ['doctor', doctorGroup],
    ['completion', completionCommand],
  ];
  const names = (nodes: readonly (readonly [string, Node])[]) => nodes.map(([name]) => name);
  const root: Group = {
    kind: 'group',
    words: [],
    summary: 'Broadside: a platform for short posts and the advertising around them, on your own machine',
    listed: [
      ['Server', names(server)],
      ['Data', names(data)],
      ['Advertising', names(resources)],
      ['Worlds', names(control)],
      ['Operator', names(operator)],
      ['Who you are', ['login', 'logout', 'whoami', 'auth', 'env']],
      ['Tools', ['api', 'doctor', 'completion', 'help']],
    ],
    closing: [
      'Every command has --help. Data go to stdout, words to stderr; --json gives JSON.',
      'Start a server with `broadside start`, then try `broadside campaigns list --sandbox`.',
    ],
    children: new Map([
      ...server,
      ...data,
      ...resources,
      ...control,
      ...operator,
      ...own,
      ['help', helpCommand(() => root)],
      [COMPLETE_WORD, completeCommand(() => root)],
      [SERVE_WORD, serveCommand],
    ]),
  };
  return root;
}

/** Commands that are no operation, by the group that they stand in. */
const additions: ReadonlyMap<string, Command> = new Map([
  ['custom-audiences', audienceUploadCommand],
  ['do-not-reach-lists', doNotReachUploadCommand],
  ['media-library', libraryAddCommand],
  ['posts', postsPreviewCommand],
]);

/** One group of the commands of two: of a family with operations of several kinds. */
function joined(node: Node, other: Node | undefined): Node {
  if (node.kind !== 'group' || other?.kind !== 'group') return node;
  return grouped(node, [...node.children, ...other.children]);
}

/** A group with one more command, if there is one. */
function withCommand(node: Node, command: Command | undefined): Node {
  const name = command?.words.at(-1);
  if (node.kind !== 'group' || !command || name === undefined) return node;
  return grouped(node, [...node.children, [name, command]]);
}

function grouped(node: Group, commands: readonly (readonly [string, Node])[]): Group {
  const children = new Map(commands);
  return { ...node, summary: [...children.keys()].join(', '), children };
}
