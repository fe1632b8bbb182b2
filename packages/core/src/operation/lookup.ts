/**
 * Parses the parameters of data retrieval (reference, conventions section 8). They are lists, and their errors have
 * wording of their own.
 */
import type * as z from 'zod';
import type { Issue } from '../wire/issues.ts';
import { wireTypeOf } from '../wire/types.ts';
import { fieldsOf, isRequired } from './fields.ts';
import type { RawParams, ReadParams } from './parse.ts';

/** The values that a list of parameters may contain, according to its wire type. */
interface ListRule {
  readonly required: boolean;
  readonly values: readonly string[] | undefined;
  readonly pattern: RegExp | undefined;
  readonly max: number;
}

type Rules = ReadonlyMap<string, ListRule>;

const known = new WeakMap<z.ZodObject, Rules>();

function rulesOf(schema: z.ZodObject): Rules {
  const found = known.get(schema);
  if (found) return found;
  const made = new Map(fieldsOf(schema).map(([name, field]) => [name, ruleOf(field)]));
  known.set(schema, made);
  return made;
}

/** Parses lists by a schema: comma-separated text or arrays. Repeated values count once. */
export function readLookup(schema: z.ZodObject, raw: RawParams): ReadParams {
  const values: Record<string, unknown> = {};
  const issues: Issue[] = [];
  const rules = rulesOf(schema);
  for (const [name, rule] of rules) {
    const sent = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (sent === undefined && !rule.required) continue;
    const list = partsOf(sent);
    const found = issuesOf(name, list, rule);
    if (found.length > 0) issues.push(...found);
    else values[name] = list.length === 1 ? list : [...new Set(list)];
  }
  for (const name of Object.keys(raw)) {
    if (rules.has(name)) continue;
    const message = `The query parameter [${name.slice(0, 100)}] is not one of [${[...rules.keys()].join(',')}]`;
    issues.push({ error: 'INVALID_PARAMETER', parameter: name.slice(0, 100), value: raw[name], message });
  }
  return { values, echo: values, issues };
}

/** Parts that are counted at most; every list is shorter. */
const MAX_PARTS = 10_000;

/** Returns the parts of a list; `undefined` represents a part that is not text. */
function partsOf(sent: unknown): (string | undefined)[] {
  if (sent === undefined || sent === '') return [];
  if (typeof sent === 'string') return sent.split(',', MAX_PARTS);
  const items: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  return items.map((item) => {
    if (typeof item === 'bigint' || (typeof item === 'number' && Number.isSafeInteger(item))) return `${item}`;
    return typeof item === 'string' ? item : undefined;
  });
}

/** Maximum number of values of a list that are verified, and reported, where a list has no maximum of its own. */
const MAX_LISTED = 1_000;

function ruleOf(field: z.ZodType): ListRule {
  const type = wireTypeOf(field);
  const { items, maxItems } = type?.json ?? {};
  const pattern: unknown =
    typeof items === 'object' && items !== null && 'pattern' in items ? items.pattern : undefined;
  return {
    required: isRequired(field),
    values: type?.values,
    pattern: typeof pattern === 'string' ? new RegExp(pattern) : undefined,
    max: typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY,
  };
}

function issuesOf(name: string, list: readonly (string | undefined)[], { values, pattern, max }: ListRule): Issue[] {
  if (list.length === 0) return [issueOf(name, `The \`${name}\` query parameter can not be empty`)];
  if (list.length > max) {
    const message = `The number of values in the \`${name}\` query parameter list [${list.length}] is not between 1 and ${max}`;
    return [issueOf(name, message, list.join(','))];
  }
  const issues: Issue[] = [];
  const end = Math.min(list.length, MAX_LISTED);
  for (let at = 0; at < end; at++) {
    const item = list[at] ?? '';
    const isListed = values === undefined || values.includes(item);
    if (isListed && (pattern === undefined || pattern.test(item))) continue;
    const shown = item.slice(0, 100);
    const why = isListed ? `does not match ${pattern?.source}` : `is not one of [${values.join(',')}]`;
    issues.push(issueOf(name, `The \`${name}\` query parameter value [${shown}] ${why}`, shown));
  }
  return issues;
}

function issueOf(name: string, message: string, value?: string): Issue {
  return { error: 'INVALID_PARAMETER', parameter: name, message, ...(value === undefined ? {} : { value }) };
}
