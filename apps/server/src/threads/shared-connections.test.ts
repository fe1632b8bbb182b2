import { expect, test } from 'vitest';
import { SharedConnections } from './shared-connections.ts';

test('connections of all threads count together, and those of a thread that ended do not count any more', () => {
  const main = SharedConnections.create(3);
  const other = new SharedConnections(main.memory, 1);
  const third = new SharedConnections(main.memory, 2);
  expect(main.add('10.0.0.1')).toEqual({ open: 1, own: 1 });
  expect(other.add('10.0.0.1')).toEqual({ open: 2, own: 2 });
  expect(third.add('10.0.0.2')).toEqual({ open: 3, own: 1 });
  other.remove('10.0.0.1');
  expect(third.add('10.0.0.1')).toEqual({ open: 3, own: 2 });
  main.ended(2);
  expect(main.add('10.0.0.1')).toEqual({ open: 2, own: 2 });
});
