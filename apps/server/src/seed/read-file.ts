import { isNode, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { type FileIssue, type FilePath, pathText, SeedFile, SeedFileError } from './file-format.ts';

/** A seed file as read, and what says where in it something stands. */
export interface ReadSeedFile {
  readonly content: SeedFile;
  /** Where the files are that it names. */
  readonly directory: string;
  /** What is thrown for these issues. */
  refuse(issues: readonly FileIssue[]): SeedFileError;
}

/**
 * Reads a seed file: YAML, of which JSON is a part.
 * @param name of the file, for messages
 * @param directory where the files are that it names
 * @throws SeedFileError
 */
export function readSeedFile(text: string, name: string, directory = '.'): ReadSeedFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) {
    const { line, col } = lines.linePos(broken.pos[0]);
    throw new SeedFileError(`${name} is not YAML`, [`line ${line}, column ${col}: ${broken.message}`]);
  }
  const lineOf = (path: FilePath): number => {
    // What is missing has no place of its own; that of what lacks it is the nearest.
    for (let depth = path.length; depth >= 0; depth--) {
      const node: unknown = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const refuse = (issues: readonly FileIssue[]) => {
    const told = issues
      .map(({ path, message }) => ({ line: lineOf(path), where: pathText(path), message }))
      .sort((a, b) => a.line - b.line)
      .map(({ line, where, message }) => `line ${line}: ${where === '' ? '' : `${where}: `}${message}`);
    return new SeedFileError(`${name} cannot be seeded`, told);
  };
  const parsed = SeedFile.safeParse(plain(document, name));
  if (!parsed.success) throw refuse(parsed.error.issues.flatMap(issuesOf));
  return { content: parsed.data, directory, refuse };
}

function plain(document: ReturnType<typeof parseDocument>, name: string): unknown {
  try {
    // A bound on aliases, so that a short file cannot stand for a huge one.
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    throw new SeedFileError(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function issuesOf(issue: z.core.$ZodIssue): FileIssue[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'there is no such member here' }));
  }
  return [{ path, message: issue.message.replace(/^Invalid input: /, '') }];
}
