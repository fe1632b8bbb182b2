/**
 * Advertising in a seed file: accounts, and what they have, by the operations of the contract that create it. The file says nothing of its
 * own about them: members are the parameters of the operation, and what is wrong with them is what the operation would answer.
 */
import { contract, type Issue, isOperation, type OperationOfKind, permissions, readParams } from '@broadside/core';
import { featureKeys } from '@broadside/core/resources/features';
import * as z from 'zod';
import type { Breathe } from '../members/worker/breathe.ts';
import type { FileIssue, FilePath } from './file-issue.ts';
import { meant, noMember, shown } from './file-words.ts';

/** An account of a seed file; beside these members one for each family that can be created. */
export const FileAccount = z.looseObject({
  environment: z.enum(['production', 'sandbox']).default('sandbox').describe('where the account is'),
  name: z.string().min(1).max(255).describe('the name of the account'),
  owner: z.string().min(1).describe('the screen name of its administrator'),
  timezone: z.string().min(1).max(64).default('America/Los_Angeles'),
  business_name: z.string().min(1).max(255).optional(),
  features: z.array(z.enum(featureKeys)).default([]),
  access: z
    .array(z.strictObject({ user: z.string().min(1), permissions: z.array(z.enum(permissions)).min(1) }))
    .default([])
    .describe('what others may do on it'),
});
/** See the schema of the same name. */
export type FileAccount = z.infer<typeof FileAccount>;

type Create = OperationOfKind<'ads'>;

/** The operation behind each list of an account: every one that creates something of an account from its parameters alone. */
export const creations: ReadonlyMap<string, Create> = new Map(
  Object.entries({ ...contract }).flatMap(([family, operations]): [string, Create][] => {
    const create = 'create' in operations ? operations.create : undefined;
    if (!create || !isOperation(create) || create.kind !== 'ads') return [];
    // An estimate creates nothing.
    if (family === 'audience_estimate' || !/^\/12\/accounts\/:account_id\/[^:]+$/.test(create.http.path)) return [];
    return [[family, create]];
  }),
);

/** Something that an account has. */
export interface FileItem {
  /** Its name in the file. */
  readonly key: string | undefined;
  readonly operation: Create;
  /** With references as they stand in the file. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly path: FilePath;
  /** The names that it refers to. */
  readonly needs: readonly string[];
}

const REFERENCE = /^\$([A-Za-z_][\w-]*)(?:\.(\w+))?$/;

/** A reference, such as `$summer` or `$autumn_card.card_uri`; a text that only looks like one begins with two. */
function referenceOf(value: unknown): { readonly key: string; readonly member: string | undefined } | undefined {
  const [, key, member] = typeof value === 'string' ? (REFERENCE.exec(value) ?? []) : [];
  return key === undefined ? undefined : { key, member };
}

/** Replaces the references in a value. @param find gives what stands for one */
export function withReferences(
  value: unknown,
  find: (key: string, member: string | undefined, parameter: string) => unknown,
  parameter = '',
): unknown {
  const reference = referenceOf(value);
  if (reference) return find(reference.key, reference.member, parameter);
  if (typeof value === 'string' && value.startsWith('$$')) return value.slice(1);
  if (Array.isArray(value)) return value.map((item: unknown) => withReferences(item, find, parameter));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withReferences(member, find, name)]));
}

/** The items of an account, in the order of the file, and what is wrong with their form. */
export function itemsOf(
  account: FileAccount,
  path: FilePath,
): { readonly items: readonly FileItem[]; readonly issues: readonly FileIssue[] } {
  const items: FileItem[] = [];
  const issues: FileIssue[] = [];
  for (const [section, list] of Object.entries(account)) {
    if (section in FileAccount.shape) continue;
    const operation = creations.get(section);
    if (!operation) {
      issues.push({
        path: [...path, section],
        message: noMember(section, [...Object.keys(FileAccount.shape), ...creations.keys()]),
      });
    } else if (!Array.isArray(list)) {
      const message = `this is a list of objects with the parameters of ${operation.id}, not ${shown(list)}`;
      issues.push({ path: [...path, section], message });
    } else {
      for (const [index, given] of list.entries()) {
        const at = [...path, section, index];
        if (typeof given !== 'object' || given === null || Array.isArray(given)) {
          const message = `this is an object with the parameters of ${operation.id}, not ${shown(given)}`;
          issues.push({ path: at, message });
          continue;
        }
        const { as, ...params }: Record<string, unknown> = { ...given };
        if (as !== undefined && (typeof as !== 'string' || !REFERENCE.test(`$${as}`) || as.includes('.')))
          issues.push({
            path: [...at, 'as'],
            message: 'a local name begins with a letter, and has letters, digits, - and _',
          });
        const needs: string[] = [];
        withReferences(params, (key) => needs.push(key));
        items.push({ key: typeof as === 'string' ? as : undefined, operation, params, path: at, needs });
      }
    }
  }
  return { items, issues };
}

/** Checks accounts as far as that goes without the platform. @param outside users and posts of the file, by the names that items refer to */
export async function checkAccounts(
  accounts: readonly FileAccount[],
  outside: ReadonlySet<string>,
  breathe: Breathe,
): Promise<FileIssue[]> {
  const issues: FileIssue[] = [];
  const names = new Set<string>();
  for (const [index, account] of accounts.entries()) {
    const path = ['accounts', index];
    const name = `${account.environment} ${account.name}`;
    if (names.has(name)) issues.push({ path: [...path, 'name'], message: 'another account of the file has this name' });
    names.add(name);
    const { items, issues: ofForm } = itemsOf(account, path);
    issues.push(...ofForm, ...(await checkItems(items, outside, breathe)));
  }
  return issues;
}

async function checkItems(
  items: readonly FileItem[],
  outside: ReadonlySet<string>,
  breathe: Breathe,
): Promise<FileIssue[]> {
  const issues: FileIssue[] = [];
  const keys = new Set<string>();
  for (const { key, path } of items) {
    if (key === undefined) continue;
    if (keys.has(key) || outside.has(key))
      issues.push({ path: [...path, 'as'], message: `"${key}" names something else already` });
    keys.add(key);
  }
  for (const item of items) {
    for (const key of item.needs) {
      if (!keys.has(key) && !outside.has(key))
        issues.push({
          path: placeOf(item, key),
          message: `nothing of the account, no post and no user of the file is named "${key}"${meant(key, [...keys, ...outside])}`,
        });
    }
    issues.push(...checkParams(item));
    await breathe();
  }
  // Without names that are missing, what is left over goes round in circles.
  if (items.every(({ needs }) => needs.every((key) => keys.has(key) || outside.has(key))))
    for (const { path } of inOrder(items).circular)
      issues.push({ path, message: 'this refers to something that refers back to it' });
  return issues;
}

/** The items with what they refer to before them, and those that refer back to themselves. What is none of the items is taken to be there. */
export function inOrder(items: readonly FileItem[]): {
  readonly items: readonly FileItem[];
  readonly circular: readonly FileItem[];
} {
  const keys = new Set(items.flatMap(({ key }) => key ?? []));
  const waiting = new Map<FileItem, number>();
  const waitingFor = new Map<string, FileItem[]>();
  for (const item of items) {
    const needs = new Set(item.needs.filter((key) => keys.has(key)));
    waiting.set(item, needs.size);
    for (const key of needs) {
      const others = waitingFor.get(key);
      if (others) others.push(item);
      else waitingFor.set(key, [item]);
    }
  }
  const ready = items.filter((item) => waiting.get(item) === 0);
  // It grows while it is gone through.
  for (const { key } of ready) {
    for (const item of (key === undefined ? undefined : waitingFor.get(key)) ?? []) {
      const left = (waiting.get(item) ?? 0) - 1;
      waiting.set(item, left);
      if (left === 0) ready.push(item);
    }
  }
  return { items: ready, circular: items.filter((item) => (waiting.get(item) ?? 0) > 0) };
}

/** The parameter that holds a reference. */
function placeOf({ params, path }: FileItem, key: string): FilePath {
  for (const [name, value] of Object.entries(params)) {
    let found = false;
    withReferences(value, (other) => {
      found ||= other === key;
    });
    if (found) return [...path, name];
  }
  return path;
}

function checkParams({ operation, params, path }: FileItem): FileIssue[] {
  const open = new Set(
    Object.entries(params).flatMap(([name, value]) => {
      let refers = false;
      withReferences(value, () => {
        refers = true;
      });
      return refers ? [name] : [];
    }),
  );
  const known = withReferences({ account_id: '1', ...params }, () => '1');
  const { issues } = readParams(operation.params, { ...(typeof known === 'object' ? known : {}) }, operation.exclusive);
  // What stands for a reference is known later.
  return issues
    .filter(({ parameter }) => parameter === undefined || !open.has(parameter))
    .map((issue) => inFile(issue, path));
}

/** An error of an operation at its place in the file. */
export function inFile({ message = 'this is not valid', parameter }: Issue, path: FilePath): FileIssue {
  return { path: parameter === undefined || parameter === 'account_id' ? path : [...path, parameter], message };
}
