import { expect, it } from 'vitest';
import { checkAppIdentifier } from './rules.ts';

it.each<['Android' | 'iOS', string, boolean]>([
  ['Android', 'com.example.android', true],
  ['Android', 'com.example_1.app2', true],
  ['Android', 'example', false],
  ['Android', 'com..app', false],
  ['Android', 'com.1app', false],
  ['Android', '333903271', false],
  ['iOS', '333903271', true],
  ['iOS', 'com.example.ios', false],
  ['iOS', 'id333903271', false],
])('an app of %s is identified by "%s": %s', (os_type, app_store_identifier, right) => {
  const issues = checkAppIdentifier({ os_type, app_store_identifier });
  expect(issues.map(({ error, parameter }) => `${error} ${parameter}`)).toEqual(
    right ? [] : ['INVALID_PARAMETER app_store_identifier'],
  );
});
