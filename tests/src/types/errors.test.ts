/**
 * The errors of an operation are the same as types and at run time: the types are held against lists that the functions give,
 * by the compiler.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type AnyOperation,
  errorCode,
  errorNumber,
  errorStatus,
  errorsOf,
  operationById,
  uploadErrorNumber,
} from '@broadside/core';
import { thinTransport } from '@broadside/core/thin/transport';
import { afterAll, expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../.errors-of');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const contracts = {
  ads: 'Contract',
  operator: 'OperatorContract',
  control: 'ControlContract',
  auth: 'AuthContract',
  data: 'DataContract',
  upload: 'UploadContract',
} as const satisfies Record<AnyOperation['kind'], string>;

function codeOf(operation: AnyOperation, name: ReturnType<typeof errorsOf>[number]): readonly (string | number)[] {
  const isProblem = operation.kind === 'data' || (operation.kind === 'upload' && operation.version === '2');
  if (isProblem) return name === 'INVALID_TOKEN' ? [89] : [thinTransport.codes[errorStatus(name)] ?? 'INTERNAL_ERROR'];
  // A malformed signature has another number than other parameters.
  if (operation.kind === 'upload') return [uploadErrorNumber(name), ...(name === 'INVALID_PARAMETER' ? [215] : [])];
  return [operation.kind === 'auth' ? errorNumber(name) : errorCode(name)];
}

function union(values: readonly (string | number)[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

test('the errors and codes of every operation are those of its type', () => {
  const all = [...operationById.values()];
  expect(all.length).toBeGreaterThan(100);
  const checks = all.map((operation, index) => {
    const { id, kind } = operation;
    const type =
      contracts[kind] +
      id
        .split('.')
        .map((name) => `['${name}']`)
        .join('');
    const names = errorsOf(operation);
    const codes = names.flatMap((name) => codeOf(operation, name));
    return `export const names${index}: Same = {} as Difference<'${id}', ErrorsOf<${type}>, ${union(names)}>;
export const codes${index}: Same = {} as Difference<'${id}', CodesOf<${type}>, ${union(codes)}>;`;
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'checks.ts'),
    `import type { CodesOf, ErrorsOf, ${Object.values(contracts).join(', ')} } from '@broadside/core';
type Same = { readonly operation: string; readonly onlyInTheType: never; readonly onlyAtRunTime: never };
type Difference<Id, InType, AtRunTime> = {
  readonly operation: Id; readonly onlyInTheType: Exclude<InType, AtRunTime>; readonly onlyAtRunTime: Exclude<AtRunTime, InType>;
};
${checks.join('\n')}
`,
  );
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '@broadside/tsconfig/base.json',
      compilerOptions: { rootDir: '../..', lib: ['es2024', 'dom'], noErrorTruncation: true },
      include: ['*.ts'],
    }),
  );
  const tsc = path.resolve(import.meta.dirname, '../../node_modules/.bin/tsc');
  expect(spawnSync(tsc, ['-p', folder], { encoding: 'utf8' }).stdout).toBe('');
});
