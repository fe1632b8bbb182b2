import { expect, test } from 'vitest';
import { deletedAt, kept, restored, type StandingFlags, suspended } from './standing.ts';

const usual: StandingFlags = { suspended: false, suspended_reason: null, delete_at: null, stays_suspended: false };
const AT = '2026-02-14T08:00:00Z';

test('a suspension hides until it ends, and keeps its reason unless there is another', () => {
  const once = suspended(usual, 'One');
  expect(once).toEqual({ ...usual, suspended: true, suspended_reason: 'One' });
  expect(suspended(once)).toEqual(once);
  expect(suspended(once, 'Two').suspended_reason).toBe('Two');
  expect(restored(once)).toEqual(usual);
});

test('who is to be deleted is hidden until that is cancelled, whatever is restored in between', () => {
  const leaving = deletedAt(usual, AT);
  expect(leaving).toMatchObject({ suspended: true, delete_at: AT });
  expect(restored(leaving)).toEqual(leaving);
  expect(kept(leaving)).toEqual(usual);
  expect(kept(usual)).toEqual(usual);
});

test('who was suspended before a deletion, or became so meanwhile, is suspended when it is cancelled', () => {
  const before = suspended(usual, 'One');
  expect(kept(deletedAt(before, AT))).toEqual(before);
  expect(kept(deletedAt(deletedAt(before, AT), AT))).toEqual(before);
  expect(kept(suspended(deletedAt(usual, AT), 'One'))).toEqual(before);
  expect(kept(restored(deletedAt(before, AT)))).toEqual(usual);
});
