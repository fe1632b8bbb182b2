/** Opens a store thirty times, and prints by how many bytes the process has grown: `open-stores.ts <file> open|rest|close`. */
import { openNativeClient } from '../native-client.ts';

const [path = '', use] = process.argv.slice(2);
// What the first one has loaded stays.
openNativeClient({ path, frugal: true }).close();
const before = process.memoryUsage.rss();
const clients = Array.from({ length: 30 }, () => {
  const client = openNativeClient({ path, frugal: true });
  for (let i = 0; use === 'rest' && i < 2; i++) client.rest();
  if (use === 'close') client.close();
  return client;
});
process.stdout.write(`${process.memoryUsage.rss() - before}\n`);
for (const client of clients) client.close();
