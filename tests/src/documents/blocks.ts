/** Blocks of code in documents, and the commands in them. */

/** A block between fences. */
export interface DocumentBlock {
  readonly file: string;
  /** The line of its first fence. */
  readonly line: number;
  /** Empty for what a program prints. */
  readonly language: string;
  readonly code: string;
  /** What the document shows as printed by it. */
  readonly output: string | undefined;
}

/** A command line of `broadside`. */
export interface DocumentCommand {
  readonly file: string;
  readonly line: number;
  /** Its arguments, without quotes. */
  readonly words: readonly string[];
  /** False where the line needs a shell: it has a pipe, a variable or a redirection. */
  readonly isWhole: boolean;
}

/** Returns the blocks of a document. */
export function blocksOf(file: string, text: string): readonly DocumentBlock[] {
  const found = [...text.matchAll(/^```(\w*)\n(.*?)\n```$/gms)].map((match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length,
    language: match[1] ?? '',
    code: (match[2] ?? '').trim(),
    end: match.index + match[0].length,
    start: match.index,
  }));
  return found.map(({ end, start: _, ...block }, index) => {
    const next = found[index + 1];
    const isOutput = next?.language === '' && text.slice(end, next.start).trim() === '';
    return { ...block, output: isOutput ? next.code : undefined };
  });
}

/** Returns the commands of a block in their order. Other programs are left out. */
export function commandsOf({ file, line, code }: DocumentBlock): readonly DocumentCommand[] {
  return statementsOf(code).flatMap((statement) => {
    const rest = /^(?:\.\/)?broadside (.*)$/s.exec(statement)?.[1];
    if (rest === undefined) return [];
    const open = rest.replaceAll(/'[^']*'/g, '');
    const plain = open.replaceAll(/"[^"]*"/g, '');
    return [{ file, line, words: wordsOf(rest), isWhole: !/[|<>&;]/.test(plain) && !/[$`]/.test(open) }];
  });
}

/** Lines, with those that go on after a backslash or inside of quotes as one, and without comments. */
function statementsOf(code: string): readonly string[] {
  const statements: string[] = [];
  let open = '';
  for (const line of code.replaceAll('\\\n', ' ').split('\n')) {
    open += `${open === '' ? '' : '\n'}${line}`;
    if ((open.match(/'/g)?.length ?? 0) % 2 === 1) continue;
    statements.push(open.replace(/\s+# .*$/, '').trim());
    open = '';
  }
  return statements;
}

function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/['"]/g, (quote) => (isOuter(word, quote) ? '' : quote)),
  );
}

/** Quotes around a word are not part of it; double quotes inside of single ones are. */
function isOuter(word: string, quote: string): boolean {
  return quote === "'" || !word.includes("'");
}
