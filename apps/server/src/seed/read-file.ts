import { isNode, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { type FileIssue, type FilePath, pathText, SeedFile, SeedFileError } from './file-format.ts';

/** A parsed seed file, with the positions of its items. */
export interface ReadSeedFile {
  readonly content: SeedFile;
  /** Directory of the files that it references. */
  readonly directory: string;
  /** Makes the error for these issues. */
  reject(issues: readonly FileIssue[]): SeedFileError;
}

/**
 * Reads a seed file: YAML, of which JSON is a part.
 * @param name of the file, for messages
 * @param directory of the files that it references
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
    // A missing item has no position; that of its parent is the nearest.
    for (let depth = path.length; depth >= 0; depth--) {
      const node: unknown = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const reject = (issues: readonly FileIssue[]) => {
    const lines = issues
      .map(({ path, message }) => ({ line: lineOf(path), where: pathText(path), message }))
      .sort((a, b) => a.line - b.line)
      .map(({ line, where, message }) => `line ${line}: ${where === '' ? '' : `${where}: `}${message}`);
    return new SeedFileError(`${name} cannot be seeded`, lines);
  };
  const parsed = SeedFile.safeParse(plain(document, name));
  if (!parsed.success) throw reject(parsed.error.issues.flatMap(issuesOf));
  return { content: parsed.data, directory, reject };
}

function plain(document: ReturnType<typeof parseDocument>, name: string): unknown {
  try {
    // Limits aliases, so that a short file cannot expand to a huge one.
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
