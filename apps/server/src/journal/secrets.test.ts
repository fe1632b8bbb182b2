/** Secrets in texts that clients send, which need not be whole or right. */

import { LEFT_OUT } from '@broadside/core/resources/control/journal';
import { expect, test } from 'vitest';
import { bodyWithoutSecrets, formWithoutSecrets } from './secrets.ts';

const secret = new Set(['content']);

test.each([
  ['a text', '{"content": "x", "a": 1}', `{"content": "${LEFT_OUT}", "a": 1}`],
  ['JSON in a text', String.raw`{"content":"{\"a\":\"x\"}"}`, `{"content":"${LEFT_OUT}"}`],
  ['a text that was cut off', String.raw`{"a":1,"content":"{\"a\":\"x`, `{"a":1,"content":"${LEFT_OUT}"`],
  ['a text that was cut off in an escape', '{"content":"x\\', `{"content":"${LEFT_OUT}"`],
  ['a list with brackets in its texts', '{"devices":["x]","y"],"a":2}', `{"devices":"${LEFT_OUT}","a":2}`],
  ['a list that was cut off', '[{"devices":["x","y', `[{"devices":"${LEFT_OUT}"`],
  ['an object', '{"content":{"a":[{"b":"x"}]},"a":2}', `{"content":"${LEFT_OUT}","a":2}`],
  ['a number', '{"password":12345678}', `{"password":"${LEFT_OUT}"}`],
  ['a name with an escape', String.raw`{"\u0063ontent":"x"}`, String.raw`{"\u0063ontent":"${LEFT_OUT}"}`],
  ['members of items', '[{"email":"x"},{"email":"y"}]', `[{"email":"${LEFT_OUT}"},{"email":"${LEFT_OUT}"}]`],
])('%s that is secret is left out of JSON', (_, body, shown) => {
  expect(bodyWithoutSecrets(body, secret)).toBe(shown);
});

test.each([
  '{"a":"content","b":["password","x"],"password":null,"email_changed":"x"}',
  String.raw`{"a":"\"content\":\"x\""}`,
  'no JSON',
])('%s is shown as it was sent', (body) => {
  expect(bodyWithoutSecrets(body, secret)).toBe(body);
});

test('a form is without secrets, also in the JSON of its values', () => {
  const input = encodeURIComponent('{"password":"x","a":1}');
  const [first, second, third] = formWithoutSecrets(`a=%20b&content=x&input=${input}`, secret).split('&');
  expect([first, second]).toEqual(['a=%20b', `content=${LEFT_OUT}`]);
  expect(decodeURIComponent(third ?? '')).toBe(`input={"password":"${LEFT_OUT}","a":1}`);
});
