/** Errors in a seed file, by their places. */

/** Path in a file: names of members, and indexes of items. */
export type FilePath = readonly (string | number)[];

/** An error in a file. */
export interface FileIssue {
  readonly path: FilePath;
  readonly message: string;
}

/** An invalid seed file. All of its issues are reported, one per line. */
export class SeedFileError extends Error {
  override readonly name = 'SeedFileError';
  /** The issues, each with its position. */
  readonly lines: readonly string[];
  readonly issues: readonly FileIssue[];

  constructor(message: string, lines: readonly string[] = [], issues: readonly FileIssue[] = []) {
    super(message);
    this.lines = lines;
    this.issues = issues;
  }
}

/** Formats a path for people: `posts[3].author`. */
export function pathText(path: FilePath): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

/** Reads what {@link pathText} wrote. A text that is no path leads to the file as a whole. */
export function readPath(text: string): FilePath {
  const parts = text.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  const path = parts.map((part) => (part.startsWith('[') ? Number(part.slice(1, -1)) : part));
  return text !== 'content' && pathText(path) === text ? path : [];
}

/** There can be one for each member of the file. */
const MOST_ISSUES = 1000;

/** The faults of a seed file, each at its place. @param parameter what a fault of the whole file is about */
export function issuesOfSeed({ issues }: SeedFileError, parameter: string) {
  return issues.slice(0, MOST_ISSUES).map(
    ({ path, message }) =>
      ({
        error: 'INVALID_PARAMETER',
        parameter: path.length === 0 ? parameter : pathText(path),
        message,
      }) as const,
  );
}
