import tlds from 'tlds';
import { expect, test } from 'vitest';

/** Returns the source text of the list. `vitest run -u` on this file rewrites it after the package has been upgraded. */
function listAsSource(domains: readonly string[]): string {
  const lines = ['// Written by top-level-domains.test.ts from the package of the root zone. Upgrade it there.'];
  lines.push('', '/** The existing top-level domains, in their own script, separated by whitespace. */');
  lines.push('export const topLevelDomains: string = `');
  let line = '';
  for (const domain of [...domains].sort()) {
    if (line.length + domain.length > 118) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += `${domain} `;
  }
  lines.push(line.trimEnd(), '`;', '');
  return lines.join('\n');
}

test('the list of top-level domains matches the root zone as published by the package', async () => {
  await expect(listAsSource(tlds)).toMatchFileSnapshot('./top-level-domains.ts');
});
