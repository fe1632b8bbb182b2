import { expect, it } from 'vitest';
import { checkSharing, type Sharing } from './rules.ts';

const owner = { id: 'a1', business_id: 'b1' };
const outsider = { ...owner, business_id: null };

function codes(sharing: Sharing, granted_account_id = 'a2') {
  return checkSharing(granted_account_id, sharing).map(({ error, parameter }) => `${error} ${parameter}`);
}

it.each<[string, Sharing, string[]]>([
  ['the same business', { owner, may_share_outside: false, granted: { business_id: 'b1' } }, []],
  ['another business', { owner, may_share_outside: false, granted: { business_id: 'b2' } }, ['ACTION_NOT_ALLOWED']],
  ['no business', { owner, may_share_outside: false, granted: { business_id: null } }, ['ACTION_NOT_ALLOWED']],
  ['no account', { owner, may_share_outside: false, granted: undefined }, ['ACTION_NOT_ALLOWED']],
  [
    'no business on either side',
    { owner: outsider, may_share_outside: false, granted: { business_id: null } },
    ['ACTION_NOT_ALLOWED'],
  ],
  ['another business by the feature', { owner, may_share_outside: true, granted: { business_id: 'b2' } }, []],
  ['no business by the feature', { owner: outsider, may_share_outside: true, granted: { business_id: null } }, []],
  ['no account by the feature', { owner, may_share_outside: true, granted: undefined }, ['ACTION_NOT_ALLOWED']],
])('an audience is shared with an account of %s', (_, sharing, errors) => {
  expect(codes(sharing)).toEqual(errors.map((error) => `${error} granted_account_id`));
});

it('an account that does not exist has the response of one of another business', () => {
  const [missing, foreign] = [undefined, { business_id: 'b2' }].map((granted) =>
    checkSharing('a2', { owner, may_share_outside: false, granted }),
  );
  expect(missing).toEqual(foreign);
});

it('an audience is not shared with its owner, whatever the owner may do', () => {
  for (const may_share_outside of [true, false]) {
    expect(codes({ owner, may_share_outside, granted: owner }, owner.id)).toEqual([
      'INVALID_PARAMETER granted_account_id',
    ]);
  }
});
