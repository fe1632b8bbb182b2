/** Reads dialect files, and says in one line where and how one is wrong. */
import { checkDialect, DialectFile, type DialectIssue } from '@broadside/core/dialect';
import { type Document, isNode, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import type * as z from 'zod';
import { errorText } from '../error-text.ts';
import { DialectFileError } from './dialect-file-error.ts';

/**
 * Reads a dialect file: YAML, of which JSON is a part.
 * @param file its name, for messages
 * @throws DialectFileError
 */
export function readDialectFile(text: string, file: string): DialectFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const reject = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    return new DialectFileError(`${file}:${line}:${col}: ${message}`);
  };
  const [broken] = document.errors;
  if (broken) throw reject(broken.pos[0], broken.message);
  const rejectAt = ({ path, message }: DialectIssue) => reject(offsetOf(document, path), `${nameOf(path)}${message}`);
  const parsed = DialectFile.safeParse(plain(document, file));
  if (!parsed.success) throw firstOf(document, parsed.error.issues.flatMap(issuesOf), rejectAt);
  const issues = checkDialect(parsed.data);
  if (issues.length > 0) throw firstOf(document, issues, rejectAt);
  return parsed.data;
}

type Yaml = Document.Parsed<ParsedNode>;

/** The error for the issue that stands first in the file. */
function firstOf(
  document: Yaml,
  issues: readonly DialectIssue[],
  rejectAt: (issue: DialectIssue) => DialectFileError,
): DialectFileError {
  const [first] = issues.toSorted((one, other) => offsetOf(document, one.path) - offsetOf(document, other.path));
  return first ? rejectAt(first) : new DialectFileError('the file is no dialect');
}

/** The place of an item. That of a missing one is the place of what should have it. */
function offsetOf(document: Yaml, path: DialectIssue['path']): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node: unknown = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function nameOf(path: DialectIssue['path']): string {
  return path.length === 0 ? '' : `${path.join('.')}: `;
}

function plain(document: Yaml, file: string): unknown {
  try {
    // Limits aliases, so that a short file cannot expand to a huge one.
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    throw new DialectFileError(`${file}:1:1: ${errorText(error)}`);
  }
}

function issuesOf(issue: z.core.$ZodIssue): DialectIssue[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'there is no such member here' }));
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message }));
  return [{ path, message: issue.message.replace(/^Invalid input: /, '') }];
}
