/** The rules by which failures are none, on cases that a run does not meet each time. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findPython } from '../support/python.ts';

const directory = import.meta.dirname;

test('the rules hold for bodies with bytes', async ({ skip }) => {
  const python = await findPython('schemathesis', path.join(directory, 'requirements.txt'));
  if ('missing' in python) return skip(python.missing);
  const args = ['-B', path.join(directory, 'rules_test.py')];
  const { stderr } = await promisify(execFile)(python.program, args, { cwd: directory });
  expect(stderr).toMatch(/^Ran [1-9]\d* tests/m);
  expect(stderr).toMatch(/^OK$/m);
});
