import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Stages } from './stages.ts';

/** A clock that only work moves. */
function stagesWithClock() {
  let now = 0;
  const stages = new Stages(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  const open = { destroyed: false };
  return { stages, pass, answer: (work: () => void) => stages.answer(open, work) };
}

test('requests are answered in the order in which they came, and then all answers are sent', async () => {
  const { stages, answer } = stagesWithClock();
  const done: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    answer(() => {
      done.push(`answer ${name}`);
      stages.send(() => done.push(`send ${name}`));
    });
  }
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual(['answer a', 'answer b', 'answer c', 'send a', 'send b', 'send c']);
});

test('requests that take long let other work pass, and their answers do not wait for the others', async () => {
  const { stages, pass, answer } = stagesWithClock();
  const done: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    answer(() => {
      pass(5);
      done.push(`answer ${name}`);
      stages.send(() => done.push(`send ${name}`));
    });
  }
  setImmediate(() => done.push('other work'));
  await nextTurn();
  await nextTurn();
  await nextTurn();
  expect(done).toEqual([
    ...['answer a', 'answer b', 'send a', 'send b', 'other work'],
    ...['answer c', 'answer d', 'send c', 'send d', 'answer e', 'send e'],
  ]);
});

test('a request that comes while others are answered comes after those that wait', async () => {
  const { pass, answer } = stagesWithClock();
  const done: string[] = [];
  const named = (name: string, more?: () => void) =>
    answer(() => {
      pass(10);
      done.push(name);
      more?.();
    });
  named('a', () => named('c'));
  named('b');
  for (let turn = 0; turn < 4; turn++) await nextTurn();
  expect(done).toEqual(['a', 'b', 'c']);
});

test('an answer that is sent while others are is sent in the next turn', async () => {
  const { stages } = stagesWithClock();
  const done: string[] = [];
  stages.send(() => {
    done.push('a');
    stages.send(() => done.push('b'));
  });
  await nextTurn();
  await nextTurn();
  expect(done).toEqual(['a', 'b']);
});

test('a request whose connection has ended is not answered', async () => {
  const { stages } = stagesWithClock();
  const done: string[] = [];
  const [a, b] = [{ destroyed: false }, { destroyed: false }];
  stages.answer(a, () => {
    done.push('a');
    b.destroyed = true;
  });
  stages.answer(b, () => done.push('b'));
  stages.answer(a, () => done.push('c'));
  await nextTurn();
  expect(done).toEqual(['a', 'c']);
});

test('an error takes nothing from other requests, and is not lost', async () => {
  const { stages, answer } = stagesWithClock();
  const done: string[] = [];
  const thrown: unknown[] = [];
  // The runner listens too, and would fail the run.
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => thrown.push(error));
  try {
    answer(() => {
      stages.send(() => {
        throw new Error('sending');
      });
      throw new Error('answering');
    });
    answer(() => void done.push('b'));
    stages.send(() => done.push('c'));
    for (let turn = 0; turn < 4; turn++) await nextTurn();
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
  expect(done).toEqual(['b', 'c']);
  expect(thrown.map(String)).toEqual(['Error: answering', 'Error: sending']);
});
