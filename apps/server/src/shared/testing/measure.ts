/**
 * Measures the processor time of a signed GET on a server whose stores are elsewhere: with shared state, by which it remembers
 * identities and permissions, and without. `node --conditions=@broadside/source apps/server/src/shared/testing/measure.ts`
 */
import { type OneServer, Servers } from './servers.ts';

const WARM_UP = 300;
const COUNT = 2000;
const ROUNDS = 3;
/** Requests that are under way together. */
const WIDTH = 8;

async function main(): Promise<void> {
  const rateLimits = { 'ads.core_read': { limit: 1_000_000_000 } };
  const shared = await Servers.start(1, { rateLimits, stores: 'sqld' });
  const alone = await Servers.start(1, { rateLimits: 'off', stores: 'sqld', isShared: false });
  const targets = { shared: await targetOf(shared), alone: await targetOf(alone) };
  await run(shared, targets.shared, WARM_UP);
  await run(alone, targets.alone, WARM_UP);
  for (let round = 1; round <= ROUNDS; round++) {
    const figures = [await run(shared, targets.shared, COUNT), await run(alone, targets.alone, COUNT)];
    process.stdout.write(`round ${round}: shared ${figures[0]}; alone ${figures[1]}\n`);
  }
  await shared.close();
  await alone.close();
}

/** Makes a campaign. @returns its path */
async function targetOf(servers: Servers): Promise<string> {
  const account = `/12/accounts/${servers.credentials.sandbox_account_id}`;
  const made = async (target: string): Promise<string> =>
    JSON.parse((await servers.call(0, 'POST', account + target)).body).data.id;
  const funding = await made('/funding_instruments?currency=USD&type=CREDIT_CARD&start_time=2026-01-01');
  const campaign = `funding_instrument_id=${funding}&name=Measured&daily_budget_amount_local_micro=1000000`;
  return `${account}/campaigns/${await made(`/campaigns?${campaign}`)}`;
}

/** @returns processor time of a request, and how many are answered in a second */
async function run(servers: Servers, target: string, count: number): Promise<string> {
  const signed = await Promise.all(Array.from({ length: count }, () => servers.sign('GET', target)));
  const server: OneServer = servers.at(0);
  const before = process.cpuUsage();
  const began = performance.now();
  const work = async () => {
    for (let next = signed.pop(); next !== undefined; next = signed.pop()) {
      const { status } = await server.send(next);
      if (status !== 200) throw new Error(`a request was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
  const { user, system } = process.cpuUsage(before);
  const wall_ms = performance.now() - began;
  return `${((user + system) / 1000 / count).toFixed(2)} ms of processor time, ${((count / wall_ms) * 1000).toFixed(0)} a second`;
}

await main();
