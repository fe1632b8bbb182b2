/**
 * Adds a stored family to a copy of the checkout by the steps of CONTRIBUTING, and nothing else: the family that is shown
 * there, under another name. Then leaves out each piece in turn, two of them at once, which the compiler or a test must name; in CI not
 * the two that are named as another is, unless BROADSIDE_TEST_LONG is set.
 */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CheckoutCopy, type Outcome } from './checkout-copy.ts';

const REAL = 'line-item-curated-categories';
const FAMILY = 'line-item-sampled-categories';
const NAME = 'line_item_sampled_categories';

const PIECES = {
  core: `packages/core/src/resources/${FAMILY}`,
  server: `apps/server/src/resources/${FAMILY}`,
  fixtures: `tests/src/fixtures/${FAMILY}.ts`,
  requirements: `tests/src/requirements/${FAMILY}.ts`,
  scenario: `tests/src/scenarios/${FAMILY}.test.ts`,
  migrations: 'apps/server/drizzle/ads',
} as const;
const LINES = {
  contract: 'packages/core/src/contract.ts',
  registry: 'apps/server/src/resources/registry.ts',
} as const;
/** Of the server, what registers the families, and a copy that takes the list as it was before: compiled together, the one has the line and the other lacks it. */
const COMPOSITION = 'apps/server/src/families.ts';
const BEFORE = {
  composition: 'apps/server/src/families-before.ts',
  registry: 'apps/server/src/resources/registry-before.ts',
};

const words = new Map([
  ['curated', 'sampled'],
  ['Curated', 'Sampled'],
  ['CURATED', 'SAMPLED'],
]);

/** The words of the real family as those of the new one, in each spelling. */
function renamed(text: string): string {
  return text
    .replace(/(?<=line[_-]?item[_-]?)curated/gi, (word) => words.get(word) ?? word)
    .replaceAll('C-CURATED-ITEM-', 'C-SAMPLED-ITEM-')
    .replace(/text: '/g, "text: 'as a sample, ");
}

/** The line of a family in a list of families. */
const lineOf = (name: string) => new RegExp(`^export \\* as \\w+ from '[^']*/${name}/[^']*';\\n`, 'm');

let copy: CheckoutCopy;
/** Files of the copy that differ from those of the checkout before the family comes. */
let before: readonly string[];
let olderMigrations: string;

/** What a family consists of, with all that it uses: the sources of core and server too. */
const PROJECT = {
  extends: './tsconfig.json',
  include: [
    ...['src/support', 'src/requirements', 'src/fixtures', 'src/walks', PIECES.scenario.replace('tests/', '')],
    path.join('..', BEFORE.composition),
  ],
};
const types = (): Promise<Outcome> =>
  copy.run('tsc', ['-p', 'tests/tsconfig.family.json', '--noEmit', '--pretty', 'false', '--checkers', '1']);
const vitest = (...args: readonly string[]): Promise<Outcome> => copy.run('vitest', ['run', ...args]);

beforeAll(async () => {
  copy = new CheckoutCopy();
  copy.write('tests/tsconfig.family.json', JSON.stringify(PROJECT));
  copy.write(BEFORE.registry, copy.read(LINES.registry));
  copy.write(BEFORE.composition, copy.read(COMPOSITION).replace('/registry.ts', '/registry-before.ts'));
  before = copy.changes();
  olderMigrations = copy.keep(PIECES.migrations);
  for (const place of Object.values(PIECES)) {
    if (place === PIECES.migrations) continue;
    for (const file of copy.files(place.replace(FAMILY, REAL))) {
      copy.write(renamed(file), renamed(copy.read(file)).replace(/^(export const position = \d+)/m, '$1.5'));
    }
  }
  for (const file of Object.values(LINES)) {
    copy.write(
      file,
      copy.read(file).replace(lineOf(REAL), (line) => line + renamed(line)),
    );
  }
  const config = ['generate', '--config', 'drizzle.ads.config.ts', '--name', 'sampled_categories'];
  const generated = await copy.run(copy.at('apps/server/node_modules/.bin/drizzle-kit'), config, 'apps/server');
  expect(generated.code, generated.output).toBe(0);
});

afterAll(() => copy[Symbol.dispose]());

describe('a new stored family', () => {
  test('is its own files, a migration, and a line in each of two lists', () => {
    const places = [...Object.values(PIECES), ...Object.values(LINES)];
    const changes = copy.changes().filter((file) => !before.includes(file));
    for (const place of places) expect(changes).toContainEqual(expect.stringContaining(place));
    const elsewhere = changes.filter((file) => !places.some((place) => file.startsWith(place)));
    expect(elsewhere).toEqual([]);
  });

  test("compiles, and without the line in the server's registry does not, and is named", async () => {
    const { output } = await types();
    const errors = output.split('\n').filter((line) => line.includes(': error TS'));
    expect(errors, output).toEqual([expect.stringMatching(`^${BEFORE.composition}.* error TS.*${NAME}`)]);
  });

  test('passes the walks, and its scenarios on each adapter', async () => {
    const { code, output } = await copy.run('node', ['tooling/scripts/test-family.mjs', FAMILY]);
    expect(code, output).toBe(0);
  });
});

describe('what is left out is named', () => {
  /** The walk that compares the contract with rows of the requirements. */
  const specification = () => vitest('tests/src/walks/specification.test.ts', '-t', NAME);
  /** That, and the walk that provokes each error, for which it needs the fixture: loading the sources once for both. */
  const bothWalks = () => vitest('tests/src/walks/specification.test.ts', 'tests/src/walks/errors.test.ts', '-t', NAME);

  const without = (piece: keyof typeof PIECES, run: () => Promise<Outcome>) => copy.without(PIECES[piece], run);

  /** As the folder in core and the requirements, by the same walk. */
  const likeOthers: [string, () => Promise<Outcome>, RegExp][] = [
    ['the folder in the server', () => without('server', specification), new RegExp(`${FAMILY}/index`)],
    // No test has its name then: rows of the requirements have.
    [
      'the line in the contract',
      () =>
        copy.changing(
          LINES.contract,
          (text) => text.replace(lineOf(FAMILY), ''),
          () => vitest('tests/src/walks/specification.test.ts'),
        ),
      new RegExp(`'?${NAME}\\.list`),
    ],
  ];

  test.for<[string, () => Promise<Outcome>, RegExp]>([
    ['the folder in core', () => without('core', specification), new RegExp(`${FAMILY}/operations`)],
    ...(process.env['CI'] && !process.env['BROADSIDE_TEST_LONG'] ? [] : likeOthers),
    [
      'the requirements and the fixture',
      () => without('requirements', () => without('fixtures', bothWalks)),
      new RegExp(`(?=[^]*FAIL.*/errors\\.test.*${NAME})[^]*family ${NAME} has rows`),
    ],
    [
      'the scenario',
      () => without('scenario', () => vitest('tests/src/requirements.test.ts')),
      /every requirement is cited[\s\S]*C-SAMPLED-ITEM-CREATE/,
    ],
    [
      'the migration',
      () =>
        copy.without(PIECES.migrations, () => vitest(PIECES.scenario, '-t', 'C-SAMPLED-ITEM-CREATE'), olderMigrations),
      /FAIL/,
    ],
  ])('%s', async ([, run, named]) => {
    const { code, output } = await run();
    expect(code, output).not.toBe(0);
    expect(output).toMatch(named);
  });
});
