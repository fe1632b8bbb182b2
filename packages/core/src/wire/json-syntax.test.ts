import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSyntaxFault, showSyntaxFault } from './json-syntax.ts';

const said = (text: string): string | undefined => {
  const fault = findSyntaxFault(text);
  return fault && showSyntaxFault(fault);
};

test.each([
  [
    '{"name": "Autumn",}',
    'line 1, column 19: expected a name in double quotes, found "}"; leave out the comma before it',
  ],
  ['[1,\n 2,\n]', 'line 3, column 1: expected a value, found "]"; leave out the comma before it'],
  [
    "{'name': 1}",
    `line 1, column 2: expected a name in double quotes or "}", found "'"; texts and names stand in double quotes`,
  ],
  ['{name: 1}', 'line 1, column 2: expected a name in double quotes or "}", found "n"'],
  ['{"a" 1}', 'line 1, column 6: expected ":", found "1"; a number is written as 5, -5 or 0.5'],
  ['{"a": }', 'line 1, column 7: expected a value, found "}"'],
  ['{"a": 1 "b": 2}', 'line 1, column 9: expected "," or "}", found a double quote'],
  ['[1 2]', 'line 1, column 4: expected "," or "]", found "2"; a number is written as 5, -5 or 0.5'],
  ['{"a": 01}', 'line 1, column 8: expected "," or "}", found "1"; a number is written as 5, -5 or 0.5'],
  ['[.5]', 'line 1, column 2: expected a value or "]", found "."; a number is written as 5, -5 or 0.5'],
  ['{"a": True}', 'line 1, column 7: expected a value, found True; JSON writes true'],
  ['[NaN]', 'line 1, column 2: expected a value or "]", found NaN; JSON has no such number'],
  ['{"a": 1', 'line 1, column 8: expected "," or "}", found the end'],
  ['', 'line 1, column 1: expected a value, found the end'],
  ['{}x', 'line 1, column 3: expected the end, found "x"'],
  ['// {}', 'line 1, column 1: expected a value, found "/"; JSON has no comments'],
  ['\ufeff{}', 'line 1, column 1: expected a value, found a byte order mark'],
  ['{"a":\u00a01}', 'line 1, column 6: expected a value, found U+00A0'],
  ['[\u{1f600}]', 'line 1, column 2: expected a value or "]", found U+1F600'],
  ['{"a": "b', 'line 1, column 7: the text that begins here has no closing double quote'],
  [
    '{"a": "b\nc"}',
    'line 1, column 9: found a line break in a text that began with a double quote; a line break is written \\n',
  ],
  ['["\t"]', 'line 1, column 3: found a tab in a text that began with a double quote'],
  ['["C:\\dir"]', 'line 1, column 5: expected an escape such as \\n or \\u0041; a backslash is written \\\\'],
])('%j: %s', (text, problem) => {
  expect(said(text)).toBe(problem);
});

test('more than one character of what was sent is never repeated', () => {
  for (const text of ['consumer_secret=hunter2', '{"token": hunter2}', '["hunter2', '{"hunter2": 1,}', 'hunter2']) {
    expect(said(text)).toMatch(/^line 1, column \d+: /);
    expect(said(text)).not.toMatch(/hu|secret|unter/);
  }
});

const piece = fc.constantFrom(
  ...['"', '"', '\\', '{', '}', '[', ']', ':', ',', '0', '1', '-', '.', 'e', '+', ' ', '\n', '\t', 'a', 'true'],
  ...['null', 'false', '\\u0061', '\u{1f600}', '\ud800', '"a":', '[1,', '{"b":'],
);

test('there is a fault exactly where JSON.parse throws', () => {
  const parses = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      expect(findSyntaxFault(text) === undefined).toBe(parses(text));
    }),
    { numRuns: 5000 },
  );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value, null, 1);
      expect(findSyntaxFault(text)).toBeUndefined();
      const part = text.slice(0, cut % (text.length + 1));
      expect(findSyntaxFault(part) === undefined).toBe(parses(part));
    }),
  );
});
