import { isNode, LineCounter, parseDocument } from 'yaml';
import { errorText } from '../error-text.ts';
import { type FileIssue, type FilePath, pathText, SeedFileError } from './file-issue.ts';
import { type ReadSeedFile, readSeedContent } from './read-content.ts';

/** What one mistake in a template or a loop has brought is not read to its end. */
const MOST_LINES = 50;

/** The text of a seed file as data, with the positions of its parts. */
export interface SeedFileData {
  /** As of JSON: whole numbers that JSON readers could not represent are texts, which parameters of that type take too. */
  readonly data: unknown;
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
  const { data, reject } = readSeedData(text, name);
  return readSeedContent(data, reject, directory);
}

/** Reads the text of a seed file, and does not yet check what it says. @throws SeedFileError */
export function readSeedData(text: string, name: string): SeedFileData {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, intAsBigInt: true });
  const at = ({ line, col }: { readonly line: number; readonly col: number }) => `line ${line}, column ${col}`;
  const [broken] = document.errors;
  if (broken) {
    throw new SeedFileError(`${name} is not YAML`, [`${at(lines.linePos(broken.pos[0]))}: ${broken.message}`]);
  }
  const placeOf = (path: FilePath): { readonly line: number; readonly col: number } => {
    // A missing item has no position; that of its parent is the nearest.
    for (let depth = path.length; depth >= 0; depth--) {
      const node: unknown = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]);
    }
    return { line: 1, col: 1 };
  };
  const reject = (issues: readonly FileIssue[]) => {
    const all = issues
      .map(({ path, message }) => ({ ...placeOf(path), where: pathText(path), message }))
      .sort((a, b) => a.line - b.line || a.col - b.col)
      .map((issue) => `${at(issue)}: ${issue.where === '' ? '' : `${issue.where}: `}${issue.message}`);
    const more = all.length > MOST_LINES ? [`and ${all.length - MOST_LINES} more`] : [];
    return new SeedFileError(`${name} cannot be seeded`, [...all.slice(0, MOST_LINES), ...more], issues);
  };
  try {
    // Limits aliases, so that a short file cannot expand to a huge one.
    return { data: withoutBigInt(document.toJS({ maxAliasCount: 100 }) ?? {}), reject };
  } catch (error) {
    throw new SeedFileError(`${name} cannot be read: ${errorText(error)}`);
  }
}

function withoutBigInt(value: unknown): unknown {
  if (typeof value === 'bigint') return BigInt.asIntN(54, value) === value ? Number(value) : `${value}`;
  if (Array.isArray(value)) return value.map(withoutBigInt);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutBigInt(member)]));
}
