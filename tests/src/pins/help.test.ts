/** The help of each command and group of the command line, at 80 columns. */
import type { Node } from '../../../apps/cli/src/command.ts';
import { commandTree } from '../../../apps/cli/src/command-tree.ts';
import { runCli } from '../../../apps/cli/src/testing/run-cli.ts';
import { pin } from './pin.ts';

/** The words of a node and of all that is below it. */
function commandLines(node: Node): (readonly string[])[] {
  const below = node.kind === 'group' ? [...node.children.values()].flatMap(commandLines) : [];
  return node.hidden ? [] : [node.words, ...below];
}

async function help(words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli([...words, '--help']);
  if (code !== 0 || stderr !== '') throw new Error(`${words.join(' ')} --help ended with ${code}: ${stderr}`);
  return stdout;
}

const files: [string, string][] = [['exit-codes.txt', (await runCli('help exit-codes')).stdout]];
for (const words of commandLines(commandTree())) {
  files.push([`${words.join('/') || 'broadside'}.txt`, await help(words)]);
}

pin('help', Object.fromEntries(files));
