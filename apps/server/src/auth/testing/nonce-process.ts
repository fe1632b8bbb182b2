/**
 * A process that uses up nonces and then waits to be killed: `node nonce-process.ts <folder> <now> <count>`. The caller
 * passes the clock's reading, so nothing depends on when it runs.
 */
import { NonceRegistry } from '../nonces.ts';

const [directory = '', now = '', count = ''] = process.argv.slice(2);
const registry = NonceRegistry.open({ directory, nowSeconds: () => Number(now) });
for (let index = 0; index < Number(count); index += 1) {
  if (!registry.consume({ consumerKey: 'ck', token: 'tok' }, Number(now), `nonce-${index}`)) process.exit(1);
}
process.stdout.write('consumed\n');
setInterval(() => {}, 1000);
