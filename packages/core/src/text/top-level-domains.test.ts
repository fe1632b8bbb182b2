import tlds from 'tlds';
import { expect, test } from 'vitest';

/** The source text of the list. `vitest run -u` on this file writes it anew after the package has been raised. */
function listAsSource(domains: readonly string[]): string {
  const lines = ['// Written by top-level-domains.test.ts from the package of the root zone. Raise it there.'];
  lines.push('', '/** The top-level domains that exist, in their own script, separated by white space. */');
  lines.push('export const topLevelDomains = `');
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

test('the list of top-level domains is that of the root zone, as the package knows it', async () => {
  await expect(listAsSource(tlds)).toMatchFileSnapshot('./top-level-domains.ts');
});
