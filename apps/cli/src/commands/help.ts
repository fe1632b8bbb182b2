/** `broadside help`. */
import type { Command, Group, Node } from '../command.ts';
import { UsageError } from '../errors.ts';
import { commandHelp, exitCodeHelp, groupHelp, type HelpStyle } from '../help.ts';
import type { Env, Sink } from '../io.ts';
import { painter } from '../paint.ts';
import { didYouMean } from '../suggest.ts';

const TOPIC = 'exit-codes';

/** Styles of help for the output stream. */
export function styleOf(sink: Sink, env: Env): HelpStyle {
  return { paint: painter(sink, env), columns: sink.isTTY ? sink.columns : undefined };
}

/** The help of a node. */
export async function helpOf(node: Node, style: HelpStyle): Promise<string> {
  if (node.kind === 'group') return groupHelp(node, style);
  return commandHelp(node.kind === 'lazy' ? await node.load() : node, style);
}

/** `broadside help [command ...]`. */
export function helpCommand(tree: () => Group): Command {
  return {
    kind: 'command',
    words: ['help'],
    summary: 'Say how to use a command, or what the exit codes mean',
    positionals: [
      { name: 'command', description: `Its words, or ${TOPIC}.`, required: false, rest: true, values: [TOPIC] },
    ],
    sections: [],
    examples: [{ line: 'broadside help campaigns create' }, { line: `broadside help ${TOPIC}` }],
    run: async ({ io, words }) => {
      const style = styleOf(io.stdout, io.env);
      if (words[0] === TOPIC) return io.stdout.write(exitCodeHelp(style));
      let node: Node = tree();
      for (const word of words) {
        const children: ReadonlyMap<string, Node> = node.kind === 'group' ? node.children : new Map();
        const child = children.get(word.replaceAll('_', '-'));
        if (!child) {
          const near = didYouMean(word, children.keys());
          throw new UsageError(`There is no help on "${words.join(' ')}"${near ? `; ${near}` : ''}`);
        }
        node = child;
      }
      await io.stdout.write(await helpOf(node, style));
    },
  };
}
