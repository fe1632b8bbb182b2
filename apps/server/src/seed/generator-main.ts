/** A thread that generates people and posts of a world that nobody has open. It ends with an error where it cannot. */
import { workerData } from 'node:worker_threads';
import { World } from '../open-world.ts';
import { generate } from './generate.ts';
import type { GeneratorStart } from './generator-threads.ts';

const { directory, options, parameters, whole }: GeneratorStart = workerData;
const world = await World.open({ dataDirectory: directory, ...options });
try {
  await generate(world.seeds, parameters);
} finally {
  await world.close();
}
Atomics.store(whole, 0, 1);
