import { expect, test } from 'vitest';
import { createThreadLogger, openLog, threadLines } from '../log.ts';
import { type HandedLines, LineQueue, lineMemory, linesLeft } from './line-queue.ts';

/** A queue, and what it has handed over. */
function queue() {
  const handed: HandedLines[] = [];
  const lines = new LineQueue((some) => void handed.push(some));
  const write = (count: number) => {
    for (let i = 0; i < count; i++) lines.write(`${i}\n`);
  };
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  return {
    lines,
    write,
    handed,
    counts: () => handed.map(({ count }) => count),
    // Only now: what was handed over must not change later.
    text: () => Buffer.concat(handed.map(({ bytes }) => bytes)).toString(),
    inAll: () => sum(handed.map(({ count }) => count)),
    lost: () => sum(handed.map(({ lost }) => lost)),
  };
}

test('fewer lines wait than are handed over at once', () => {
  const { write, counts } = queue();
  write(199);
  expect(counts()).toEqual([]);
  write(1);
  expect(counts()).toEqual([200]);
});

test('lines are handed over whole and in order, whatever they are made of', () => {
  const { lines, text, inAll } = queue();
  const written = Array.from({ length: 1000 }, (_, i) => `${i} ${'é€😀'.repeat(i % 99)}\n`);
  for (const line of written) lines.write(line);
  lines.flush();
  expect(text()).toBe(written.join(''));
  expect(inAll()).toBe(1000);
});

test('fewer long lines are handed over at once, so that each batch has room where it is written', () => {
  const { lines, counts, handed } = queue();
  for (let i = 0; i < 200; i++) lines.write(`${'a'.repeat(5_000)}\n`);
  expect(counts().length).toBeGreaterThan(10);
  expect(Math.max(...handed.map(({ bytes }) => bytes.length))).toBeLessThan(100_000);
});

test.each(['json', 'text'] as const)(
  'lines of another thread are logged whole as %s, also with separators of Unicode',
  async (logFormat) => {
    let said = '';
    const { logger, output } = openLog({ logLevel: 'info', logFormat }, (bytes, done) => {
      said += bytes.toString();
      done(null, bytes.length);
    });
    const take = threadLines(logger);
    const lines = new LineQueue(({ bytes, count }) => take(bytes, count));
    const own = createThreadLogger({ logLevel: 'info' }, lines);
    own.info({ name: 'a\u2028b\u2029c' }, 'one');
    own.info('two');
    lines.flush();
    await output.flush(1000);
    const [one = '', two, end] = said.split('\n');
    expect(one).toContain('a\u2028b\u2029c');
    expect(two).toContain('two');
    expect(end).toBe('');
  },
);

test('lines that nobody takes are bounded, and those dropped are counted', () => {
  const { lines, write, inAll, lost } = queue();
  write(100_000);
  expect(inAll()).toBe(4_000);
  lines.taken(4_000);
  expect(lost(), 'said as soon as lines are taken again').toBe(96_000);
  write(200);
  expect(inAll()).toBe(4_200);
});

test('another thread sees how many lines have not been handed over, those dropped among them', () => {
  const memory = lineMemory();
  const lines = new LineQueue(() => {}, memory);
  for (let i = 0; i < 7; i++) lines.write(`${i}\n`);
  expect(linesLeft(memory)).toBe(7);
  lines.flush();
  expect(linesLeft(memory)).toBe(0);
  for (let i = 0; i < 100_000; i++) lines.write(`${i}\n`);
  expect(linesLeft(memory)).toBe(96_000);
});
