import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

const guide = readFileSync(new URL('../../../../docs/guides/configuration.md', import.meta.url), 'utf8');
const listed = Array.from(guide.matchAll(/^\| `(BROADSIDE_\w+)` *\|/gm), ([, name]) => name);

test('the configuration guide lists every setting once, and nothing else', () => {
  expect(listed.toSorted()).toEqual(Object.keys(settings).toSorted());
});
