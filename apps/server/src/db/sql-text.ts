/**
 * Facts about a statement from its text alone, read with SQLite's own token rules. The native binding reports
 * neither how many parameters a statement has (a missing argument silently becomes NULL, a surplus one is ignored) nor
 * that text after the first statement was left out, so both are found here.
 */
import QuickLRU from 'quick-lru';

/**
 * - `read`: SELECT, VALUES, EXPLAIN, and WITH in front of a SELECT.
 * - `write`: INSERT, REPLACE, UPDATE, DELETE, also behind a WITH.
 * - `control`: BEGIN, COMMIT, END, ROLLBACK, SAVEPOINT, RELEASE.
 * - `pragma`: PRAGMA.
 * - `other`: everything else (CREATE, ALTER, DROP, VACUUM, ...).
 */
export type SqlKind = 'read' | 'write' | 'control' | 'pragma' | 'other';

/** Facts about one SQL text. */
export interface SqlFacts {
  readonly kind: SqlKind;
  /** Number of values that the statement takes: SQLite's own highest parameter number. */
  readonly parameterCount: number;
  /** Named parameters with their prefix (`:id`, `@id`, `$id`) and their position, counted from 0. */
  readonly named: ReadonlyMap<string, number>;
  /** 0, 1, or 2 for "more than one". The body of a CREATE TRIGGER belongs to its statement. */
  readonly statements: 0 | 1 | 2;
  /** The statement ends with a literal `LIMIT 1`: it can be read with one step. */
  readonly singleRow: boolean;
  /** The table that a statement of kind `write` writes, in lower case, without the name of its schema. */
  readonly table: string | undefined;
}

const kinds = new Map<string, SqlKind>([
  ['SELECT', 'read'],
  ['VALUES', 'read'],
  ['EXPLAIN', 'read'],
  ['INSERT', 'write'],
  ['REPLACE', 'write'],
  ['UPDATE', 'write'],
  ['DELETE', 'write'],
  ['BEGIN', 'control'],
  ['COMMIT', 'control'],
  ['END', 'control'],
  ['ROLLBACK', 'control'],
  ['SAVEPOINT', 'control'],
  ['RELEASE', 'control'],
  ['PRAGMA', 'pragma'],
]);

type TokenType = 'blank' | 'quoted' | 'numbered' | 'named' | 'word' | 'number' | 'symbol';

// One sticky expression for each type of token, in the order in which they are tried. An unterminated comment runs to the
// end of the text, as in SQLite; an unterminated string falls through to single symbols, and SQLite will reject the text.
const patterns: readonly (readonly [TokenType, RegExp])[] = [
  ['blank', /[ \t\n\f\r\uFEFF]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ['quoted', /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y],
  ['numbered', /\?\d*/y],
  // The part in parentheses and the `::` are SQLite's Tcl syntax: odd, but they belong to the name of the parameter.
  ['named', /[:@$#](?:[\w$\u0080-\uFFFF]|::)+(?:\([^\s)]*\))?/y],
  ['word', /[A-Za-z_\u0080-\uFFFF][\w$\u0080-\uFFFF]*/y],
  ['number', /\.?\d[\w.]*/y],
  ['symbol', /[\s\S]/y],
];

function* tokens(sql: string): Generator<readonly [TokenType, string]> {
  let at = 0;
  while (at < sql.length) {
    for (const [type, pattern] of patterns) {
      pattern.lastIndex = at;
      const found = pattern.exec(sql)?.[0];
      if (found === undefined) continue;
      at += found.length;
      if (type !== 'blank') yield [type, found];
      break;
    }
  }
}

/** Words between the verb of a statement that writes and its table: INSERT OR ABORT INTO, DELETE FROM. */
const beforeTable = new Set('INSERT REPLACE UPDATE DELETE INTO FROM OR ROLLBACK ABORT FAIL IGNORE'.split(' '));

/** Finds the table that a statement writes: the first name after its verb, or the one after the name of its schema. */
class TargetReader {
  #name: string | undefined;
  #state: 'before' | 'named' | 'qualified' | 'found' = 'before';

  /** Takes the next token, from the verb on; words are in upper case. */
  read(type: TokenType, token: string): void {
    if (this.#state === 'found') return;
    if (this.#state === 'named') {
      this.#state = token === '.' ? 'qualified' : 'found';
      return;
    }
    if (type === 'word' && this.#state === 'before' && beforeTable.has(token)) return;
    this.#name = type === 'word' ? token.toLowerCase() : type === 'quoted' ? unquoted(token) : undefined;
    this.#state = this.#state === 'before' ? 'named' : 'found';
  }

  get table(): string | undefined {
    return this.#name;
  }
}

function unquoted(token: string): string {
  const [mark = ''] = token;
  const inner = token.slice(1, -1);
  return (mark === '[' ? inner : inner.replaceAll(mark + mark, mark)).toLowerCase();
}

/** Reads the facts of `sql`. Never throws: for a text that SQLite would reject the facts do not matter. */
export function readSql(sql: string): SqlFacts {
  const named = new Map<string, number>();
  let parameterCount = 0;
  let statements: 0 | 1 | 2 = 0;
  let kind: SqlKind | undefined;
  let leading = '';
  let isTrigger = false;
  let ended = false;
  let depth = 0;
  let beforeLast = '';
  let last = '';
  const target = new TargetReader();

  for (const [type, text] of tokens(sql)) {
    if (text === ';' && type === 'symbol') {
      ended = statements > 0 && !isTrigger;
      continue;
    }
    if (ended) {
      statements = 2;
      break;
    }
    statements = 1;
    let token = text;
    if (type === 'word') {
      token = text.toUpperCase();
      if (leading === '') {
        leading = token;
        if (token !== 'WITH') kind = kinds.get(token) ?? 'other';
      } else if (leading === 'WITH' && kind === undefined && depth === 0) {
        // The bodies of the WITH are in parentheses, so the first of these words outside them is the statement.
        kind = kinds.get(token);
      } else if (token === 'TRIGGER' && leading === 'CREATE' && (last === 'CREATE' || last.startsWith('TEMP'))) {
        isTrigger = true;
      }
    } else if (type === 'numbered') {
      parameterCount = text === '?' ? parameterCount + 1 : Math.max(parameterCount, Number(text.slice(1)));
    } else if (type === 'named') {
      if (!named.has(text)) named.set(text, parameterCount++);
    } else if (text === '(') {
      depth++;
    } else if (text === ')') {
      depth--;
    }
    if (kind === 'write') target.read(type, token);
    beforeLast = last;
    last = token;
  }
  const resolved = kind ?? 'other';
  return {
    kind: resolved,
    parameterCount,
    named,
    statements,
    table: target.table,
    singleRow: resolved === 'read' && leading !== 'EXPLAIN' && beforeLast === 'LIMIT' && last === '1',
  };
}

const remembered = new QuickLRU<string, SqlFacts>({ maxSize: 1000 });

/** {@link readSql}, remembered by text. */
export function sqlFacts(sql: string): SqlFacts {
  const known = remembered.get(sql);
  if (known !== undefined) return known;
  const facts = readSql(sql);
  remembered.set(sql, facts);
  return facts;
}
