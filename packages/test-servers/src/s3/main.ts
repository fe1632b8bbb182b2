/** Serves with the options of the command line, a JSON text, and prints the port. */
import { startS3Server } from './server.ts';

const { url } = await startS3Server(JSON.parse(process.argv[2] ?? '{}'));
process.stdout.write(`${new URL(url).port}\n`);
