/** What a seed file says, as data. */
import type * as z from 'zod';
import type { Breathe } from '../members/worker/breathe.ts';
import { issuesOfSchema } from './file-faults.ts';
import { SeedFile } from './file-format.ts';
import type { FileIssue, SeedFileError } from './file-issue.ts';

/** A parsed seed file. */
export interface ReadSeedFile {
  readonly content: SeedFile;
  /** Directory of the files that it references. */
  readonly directory: string;
  /** Makes the error for these issues. */
  reject(issues: readonly FileIssue[]): SeedFileError;
}

/** Checks the form of what a seed file says. @throws what `reject` makes */
export function readSeedContent(data: unknown, reject: ReadSeedFile['reject'], directory: string): ReadSeedFile {
  const reading = read(data);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return { content: checked(value, reject), directory, reject };
  }
}

/** The same beside other work. */
export async function readSeedContentBeside(
  breathe: Breathe,
  data: unknown,
  reject: ReadSeedFile['reject'],
  directory: string,
): Promise<ReadSeedFile> {
  const reading = read(data);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return { content: checked(value, reject), directory, reject };
    await breathe();
  }
}

interface Read {
  readonly content: SeedFile;
  readonly issues: readonly FileIssue[];
}

function checked({ content, issues }: Read, reject: ReadSeedFile['reject']): SeedFile {
  if (issues.length > 0) throw reject(issues);
  return content;
}

/** Item by item. */
function* read(data: unknown): Generator<void, Read> {
  const given: Readonly<Record<string, unknown>> =
    typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : {};
  const isWhole = typeof data === 'object' && data !== null && !Array.isArray(data);
  const outline = isWhole
    ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? [] : value]))
    : data;
  const parsed = SeedFile.safeParse(outline, { reportInput: true });
  const issues: FileIssue[] = parsed.success ? [] : parsed.error.issues.flatMap((issue) => issuesOfSchema(issue));
  function* listOf<Item>(name: keyof SeedFile, item: z.ZodType<Item>): Generator<void, Item[]> {
    const items: Item[] = [];
    const list = given[name];
    for (const [index, one] of (Array.isArray(list) ? list : []).entries()) {
      const found = item.safeParse(one, { reportInput: true });
      if (found.success) items.push(found.data);
      else issues.push(...found.error.issues.flatMap((issue) => issuesOfSchema(issue, [name, index])));
      yield;
    }
    return items;
  }
  const { users, apps, follows, posts, accounts } = SeedFile.shape;
  const content = {
    users: yield* listOf('users', users.unwrap().element),
    apps: yield* listOf('apps', apps.unwrap().element),
    follows: yield* listOf('follows', follows.unwrap().element),
    posts: yield* listOf('posts', posts.unwrap().element),
    accounts: yield* listOf('accounts', accounts.unwrap().element),
  };
  return { content, issues };
}
