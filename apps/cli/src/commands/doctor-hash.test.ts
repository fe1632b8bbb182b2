/** `broadside doctor hash`, from what is given to what is said. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { runCli } from '../testing/run-cli.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const RIGHT = hashOf('nora@example.com');

function doctor(words: readonly string[], stdin = '') {
  return runCli(['doctor', 'hash', ...words], { stdin });
}

describe('the verdict and the exit code', () => {
  test('a hash that is right', async () => {
    const { code, stdout, stderr } = await doctor([RIGHT, '--identifier', ' Nora@Example.com']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('Right: this is the hash of an identifier\n\nIt is of identifier 1, as email.\n');
  });

  test('a mistake, the identifier that it was made with, and its right hash', async () => {
    const words = [hashOf('nora@example.com\n'), '--identifier', 'jack', '--identifier', 'nora@example.com'];
    const { code, stdout } = await doctor(words);
    expect(code).toBe(7);
    expect(stdout).toContain('The identifier has a line break at its end or beginning\n');
    expect(stdout).toContain(`It is of identifier 2, as email. Its hash is\n${RIGHT}\n`);
    const json = await doctor([...words, '--json']);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      7,
      {
        verdict: 'explained',
        findings: [{ mistake: 'line_break', title: expect.any(String), hint: expect.any(String) }],
        identifier: { index: 1, kind: 'email' },
        right: RIGHT,
      },
    ]);
  });

  test('the wrong field', async () => {
    const { code, stdout } = await doctor([RIGHT, '--identifier', 'nora@example.com', '--field', 'phone_number']);
    expect(code).toBe(7);
    expect(stdout).toContain('This is the hash of an identifier of another kind');
  });

  test('a digest of another length', async () => {
    const md5 = createHash('md5').update('nora@example.com').digest('hex');
    const { code, stdout } = await doctor([md5, '--identifier', 'nora@example.com']);
    expect(code).toBe(7);
    expect(stdout).toContain('This is an MD5');
  });

  test('nothing that is known', async () => {
    const { code, stdout } = await doctor([hashOf('somebody'), '--identifier', 'nora@example.com']);
    expect(code).toBe(8);
    expect(stdout).toBe('This is the hash of none of the identifiers, with no known mistake\n');
  });
});

test('hash and identifiers come from stdin, and no identifier is printed', async () => {
  for (const [words, stdin] of [
    [[], `${hashOf('Nora@Example.com')}\r\nnora@example.com\r\n\r\njack\r\n`],
    [['-', '--identifier', 'nora@example.com'], `${hashOf('Nora@Example.com')}\n`],
    [[hashOf('Nora@Example.com')], 'nora@example.com\n'],
  ] as const) {
    const { code, stdout, stderr } = await doctor(words, stdin);
    expect([code, stderr]).toEqual([7, '']);
    expect(stdout).toContain('The identifier has capital letters');
    expect(stdout).not.toMatch(/nora|jack/i);
  }
});

test('what cannot be explained is a wrong command line', async () => {
  for (const [words, stdin, message] of [
    [[], '', 'There is no hash'],
    [[RIGHT], '', 'There are no identifiers'],
    [['nora@example.com', '--identifier', 'nora@example.com'], '', 'The hash is none'],
    [[RIGHT, '--identifier', 'nora@example.com', '--field', 'mail'], '', '--field'],
  ] as const) {
    expect(await doctor(words, stdin)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  }
});
