/** The one script of the pages: a file of this package, under an address that changes with it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../../package-file.ts';
import { paths } from '../paths.ts';

const source = readFileSync(packageFile('browser/notifications.js'), 'utf8');
const version = createHash('sha256').update(source).digest('hex').slice(0, 16);

/** Path of the script, for the pages that load it. */
export const newsScript = `${paths.newsScript}?v=${version}`;

/** The script, and the headers that it is sent with. */
export const newsScriptFile = {
  source,
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  },
} as const;
