import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';

const runner = `
  import { runProgram } from ${JSON.stringify(new URL('run-program.ts', import.meta.url).href)};
  const { program, wasCompiled, keepCompiledAfter } = runProgram(process.argv[1]);
  await keepCompiledAfter(program.main)();
  console.log(wasCompiled);
`;
const script = `(function(require, load, url) {
  const path = require('node:path');
  return {
    async main() {
      const { basename } = await load('node:path');
      console.log(basename(url), path.basename(url));
    },
  };
})`;

it('uses the code that an earlier start has compiled, where it is whole and of the same script', () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'program-1.cjs');
  writeFileSync(file, script);
  const cache = path.join(directory, 'cache');
  const start = (environment: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: cache }) => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', runner, file], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^program-1\.cjs program-1\.cjs\n(?:true|false)\n$/);
    return stdout.endsWith('true\n');
  };
  const kept = () => {
    const [found = ''] = globSync(`${cache}/*/broadside-program-1`);
    return found;
  };

  expect(start()).toBe(false);
  expect(start()).toBe(true);

  const whole = readFileSync(kept());
  const middle = whole.length >> 1;
  for (const damaged of [whole.subarray(0, middle), whole.fill(0xff, middle, middle + 8), Buffer.alloc(0)]) {
    writeFileSync(kept(), damaged);
    expect(start()).toBe(false);
    expect(start()).toBe(true);
  }

  // The engine compares only the lengths of scripts, so the names of the build's differ with their content.
  writeFileSync(file, `${script} `);
  expect(start()).toBe(false);
  expect(start({ NODE_DISABLE_COMPILE_CACHE: '1', NODE_COMPILE_CACHE: cache })).toBe(false);
});
