import { explainSignature } from '../explain.ts';
import type { MistakeName } from '../mistakes.ts';
import { MISTAKEN_CLIENTS } from './mistaken-clients.ts';
import { nodeHmac } from './node-hmac.ts';
import { Random } from './random.ts';

/** The number of requests in which each mistake is searched for. */
export const REQUESTS = process.env['BROADSIDE_TEST_LONG'] === undefined ? 200 : 1000;
/** After this many consecutive requests without a difference, a mistake is considered to have no effect. */
const PATIENCE = 200;

/**
 * Makes a mistake in random requests, and checks that the doctor reports it first in every one.
 * @throws Error with the seed and the request otherwise
 */
export async function verifyNamed(name: MistakeName): Promise<void> {
  let seed = [...name].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1e9, 7);
  let idle = 0;
  for (let done = 0; done < REQUESTS; seed += 1) {
    const made = MISTAKEN_CLIENTS[name](new Random(seed));
    if (made === undefined) {
      idle += 1;
      if (idle > PATIENCE) throw new Error(`${name} makes no difference in any request.`);
      continue;
    }
    idle = 0;
    done += 1;
    const explanation = await explainSignature({ ...made, hmac: nodeHmac });
    if (explanation.findings[0]?.mistake !== name || explanation.verdict === 'valid') {
      throw new Error(`Not named with seed ${seed}: ${JSON.stringify({ explanation, made }, null, 1)}`);
    }
  }
}
