import { expect, test } from 'vitest';
import type { Issue } from '../wire/issues.ts';
import { uploadError, uploadErrorNumber, uploadErrorStatus } from './upload-errors.ts';

test.for<[what: string, issue: Issue, code: number, status: number]>([
  ['a parameter that is missing', { error: 'MISSING_PARAMETER', parameter: 'media' }, 38, 403],
  ['a parameter that is malformed', { error: 'INVALID_PARAMETER', parameter: 'total_bytes' }, 324, 400],
  ['a parameter that cannot be stored', { error: 'ILLEGAL_CHARACTERS', parameter: 'media_id' }, 324, 400],
  ['a signature that is malformed', { error: 'INVALID_PARAMETER', parameter: 'oauth_nonce' }, 215, 400],
  ['invalid media', { error: 'MEDIA_INVALID' }, 324, 400],
  ['missing media', { error: 'UPLOAD_NOT_FOUND' }, 325, 400],
  ['an app that is suspended', { error: 'UNAUTHORIZED_CLIENT_APPLICATION' }, 416, 403],
  ['a wrong signature', { error: 'UNAUTHORIZED_ACCESS' }, 32, 401],
  ['too many requests', { error: 'TOO_MANY_REQUESTS' }, 88, 429],
])('%s has its own number', ([, issue, code, status]) => {
  expect(uploadError(issue)).toMatchObject({ code, message: expect.any(String) });
  expect(uploadErrorStatus(issue.error)).toBe(status);
});

test('an error keeps its parameter, message and value', () => {
  const issue = { error: 'INVALID_PARAMETER', parameter: 'command', message: 'No.', value: 'init' } as const;
  expect(uploadError(issue)).toEqual({ code: 324, parameter: 'command', message: 'No.', value: 'init' });
  expect(uploadErrorNumber('MISSING_PARAMETER')).toBe(38);
});
