import { expect, test } from 'vitest';
import { LineQueue, lineMemory, linesLeft } from './line-queue.ts';

/** A queue whose lines are handed to arrays. */
function queue() {
  const handed: string[][] = [];
  const losses: number[] = [];
  const lines = new LineQueue(({ bytes, count, lost }) => {
    const some = Buffer.from(bytes).toString().match(/.*\n/g) ?? [];
    expect(some.length).toBe(count);
    handed.push(some);
    losses.push(lost);
  });
  const write = (count: number) => {
    for (let i = 0; i < count; i++) lines.write(`${i}\n`);
  };
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  return { lines, write, handed, inAll: () => sum(handed.map(({ length }) => length)), lost: () => sum(losses) };
}

test('fewer lines wait than are handed over at once', () => {
  const { write, handed } = queue();
  write(199);
  expect(handed).toEqual([]);
  write(1);
  expect(handed.map(({ length }) => length)).toEqual([200]);
});

test('lines are handed over whole and in order, whatever they are made of', () => {
  const { lines, handed } = queue();
  const written = Array.from({ length: 1000 }, (_, i) => `${i} ${'é€😀'.repeat(i % 99)}\n`);
  for (const line of written) lines.write(line);
  expect(handed.flat()).toEqual(written);
});

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
