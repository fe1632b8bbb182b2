import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { asTurn, atTurnEnd } from './turn-end.ts';

test('what waits for the end of a turn is done when the loop has gone through what has arrived', async () => {
  const done: string[] = [];
  atTurnEnd(() => done.push('a'));
  process.nextTick(() => {
    done.push('work');
    atTurnEnd(() => done.push('b'));
  });
  await nextTurn();
  expect(done).toEqual(['work', 'a', 'b']);
});

test('work that is a turn by itself ends it at once, also for what waited before', async () => {
  const done: string[] = [];
  atTurnEnd(() => done.push('a'));
  asTurn(() => {
    atTurnEnd(() => done.push('b'));
    done.push('work');
  });
  expect(done).toEqual(['work', 'a', 'b']);
  await nextTurn();
  expect(done).toHaveLength(3);
});

test('a turn ends although its work fails, and the next one can begin', async () => {
  const done: string[] = [];
  const fail = () => {
    atTurnEnd(() => done.push('a'));
    throw new Error('no');
  };
  expect(() => asTurn(fail)).toThrow('no');
  expect(done).toEqual(['a']);
  atTurnEnd(() => done.push('b'));
  expect(done).toEqual(['a']);
  await nextTurn();
  expect(done).toEqual(['a', 'b']);
});

test('what is left for the end of a turn at its end is done at the end of the next one', async () => {
  const done: string[] = [];
  asTurn(() => {
    atTurnEnd(() => {
      done.push('a');
      atTurnEnd(() => done.push('b'));
    });
  });
  expect(done).toEqual(['a']);
  await nextTurn();
  expect(done).toEqual(['a', 'b']);
});
