import { expect, it } from 'vitest';
import { checkOwner, checkShareable, checkWritable, type SeenAudience } from './sharing.ts';

const audience = { id: 'x1', account_id: 'a1' };
const own: SeenAudience = { audience, is_owner: true, permission_level: 'READ_WRITE' };
const writable: SeenAudience = { audience, is_owner: false, permission_level: 'READ_WRITE' };
const readable: SeenAudience = { audience, is_owner: false, permission_level: 'READ_ONLY' };

const notAllowed = [{ error: 'ACTION_NOT_ALLOWED', parameter: 'custom_audience_id', value: 'x1' }];

it('only the owner of an audience passes for it', () => {
  expect(checkOwner('custom_audience_id', own)).toEqual([]);
  expect(checkOwner('custom_audience_id', writable)).toMatchObject(notAllowed);
  expect(checkOwner('custom_audience_id', readable)).toMatchObject(notAllowed);
});

it('an audience is changed by its owner and with READ_WRITE', () => {
  expect(checkWritable('custom_audience_id', own)).toEqual([]);
  expect(checkWritable('custom_audience_id', writable)).toEqual([]);
  expect(checkWritable('custom_audience_id', readable)).toMatchObject(notAllowed);
});

it('an audience is shared unless it combines audiences of other accounts', () => {
  expect(checkShareable('custom_audience_id', 'x1', [])).toEqual([]);
  expect(checkShareable('custom_audience_id', 'x1', ['y2', 'z3'])).toMatchObject([
    { ...notAllowed[0], message: expect.stringContaining('y2, z3') },
  ]);
});
