import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { KeptStatements } from './kept-statements.ts';

const made = (form: string) => sql`SELECT ${sql.placeholder('b')}, ${sql.placeholder('a')} -- ${sql.raw(form)}`;

test('a form is compiled once, and takes its arguments by their names', () => {
  const statements = new KeptStatements();
  const { text, bind } = statements.of('one', () => made('one'));
  expect(text).toBe('SELECT ?, ? -- one');
  expect(bind({ a: 1, b: 'two', c: 3 })).toEqual(['two', 1]);
  expect(bind({ a: 1 })).toEqual([null, 1]);
  const again = statements.of('one', () => {
    throw new Error('it is kept');
  });
  expect(again.text).toBe(text);
});

test('forms that callers make up do not fill the memory', () => {
  const statements = new KeptStatements();
  let compiled = 0;
  const ask = (form: string) =>
    statements.of(form, () => {
      compiled += 1;
      return made(form);
    });
  for (let i = 0; i < 2000; i++) ask(`form ${i}`);
  for (let i = 0; i < 2000; i++) ask(`form ${i}`);
  expect(compiled).toBe(4000);
  ask('form 1999');
  expect(compiled).toBe(4000);
});
