/**
 * What a service manager does for a service with sockets: `node socket-manager.ts FILE ARGUMENTS...` listens on free ports, writes them to the
 * file, and runs Node with the arguments and the sockets, over and over, until the file is gone. It never accepts a connection: what connects
 * while no service runs waits. That takes a process whose event loop does not turn, so all of it is synchronous.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { descriptorOf } from '../../../apps/server/src/listening/inherited-sockets.ts';

const [file = '', ...command] = process.argv.slice(2);
const names = ['api', 'ads', 'sandbox'];
const servers = names.map(() => createServer().listen(0));
const descriptors = servers.flatMap((server) => descriptorOf(server) ?? []);
const ports = servers.flatMap((server) => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? [address.port] : [];
});
writeFileSync(`${file}.new`, JSON.stringify(ports));
renameSync(`${file}.new`, file);
// Only the process itself knows its number before it runs, as after the `exec` of a manager.
const words = [process.execPath, ...command].map((word) => `'${word}'`).join(' ');
while (existsSync(file)) {
  spawnSync('/bin/sh', ['-c', `LISTEN_PID=$$ exec ${words}`], {
    stdio: ['ignore', 'inherit', 'inherit', ...descriptors],
    env: { ...process.env, LISTEN_FDS: `${descriptors.length}`, LISTEN_FDNAMES: names.join(':') },
  });
}
process.exit(0);
