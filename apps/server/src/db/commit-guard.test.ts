import { expect, test } from 'vitest';
import { type CommitGuard, commitGuarded } from './commit-guard.ts';
import { CommitUnknownError, CommitUntoldError } from './errors.ts';
import { Generations } from './generations.ts';
import { sqlFacts } from './sql-text.ts';
import { TouchedSlots } from './touched-slots.ts';

/** Commits something that a guarded table may have had a part in. @returns what was done, in its order, and the error */
async function outcome(committing: Error | undefined, ending?: Error): Promise<readonly [string, unknown]> {
  const done: string[] = [];
  const guard: CommitGuard = {
    begin: async () => {
      done.push('begin');
      return async () => {
        done.push('end');
        if (ending) throw ending;
      };
    },
  };
  const touched = new TouchedSlots(new Generations());
  touched.note(sqlFacts('DELETE FROM tokens'), undefined);
  const commit = async () => {
    done.push('commit');
    if (committing) throw committing;
  };
  const error: unknown = await commitGuarded({ guard, tables: ['tokens'] }, touched, commit).catch((thrown) => thrown);
  return [done.join(' '), error];
}

test('what was in flux for a commit that is stored, or has failed, no longer is', async () => {
  expect(await outcome(undefined)).toEqual(['begin commit end', undefined]);
  const failed = new Error('constraint');
  expect(await outcome(failed)).toEqual(['begin commit end', failed]);
});

test('what may still be stored stays in flux', async () => {
  const unknown = new CommitUnknownError(new Error('no answer'));
  expect(await outcome(unknown)).toEqual(['begin commit', unknown]);
});

test('a commit that is stored, and that others could not be told of, says so', async () => {
  const [done, error] = await outcome(undefined, new Error('Redis is away'));
  expect([done, error]).toEqual(['begin commit end', expect.any(CommitUntoldError)]);
});
