/**
 * The clock of a world: ninety days of a demo with a hundred line items, scheduled posts and an audience whose members expire, in one
 * advance over the control interface; and single days of it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@broadside/client';
import { formatTimestamp } from '@broadside/core';
import { type Credentials, createLogger, type RunningServer, readConfig, startServer } from '@broadside/server';
import { type BenchRow, benchRow } from './bench-row.ts';
import { percentiles } from './percentiles.ts';
import { startedOnce } from './prepared.ts';
import { inDirectory, type Run } from './run.ts';
import { Turns } from './turns.ts';

const DAY_MS = 86_400_000;
const LINE_ITEMS = 100;
const POSTS = 30;
/** Ninety days may take so long, and a day a ninetieth of that. */
const MOST_MS = 5_000;
const DAYS = 90;

/** What an advance answers. */
interface Answer {
  readonly data: { readonly total: number; readonly complete: boolean };
}

/** Measures the clock of a world. */
export function measureClock(run: Run): Promise<BenchRow[]> {
  return inDirectory(run, async (directory) => {
    await startedOnce(directory, run.server);
    const config = readConfig({
      BROADSIDE_DATA_DIR: directory,
      BROADSIDE_API_PORT: '0',
      BROADSIDE_ADS_PORT: '0',
      BROADSIDE_SANDBOX_PORT: '0',
      BROADSIDE_WORKERS: '1',
      BROADSIDE_LOG_LEVEL: 'silent',
      BROADSIDE_RATE_LIMITS: 'off',
    });
    const server = await startServer(config, createLogger(config));
    try {
      const token = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
      const control = async (method: string, target: string, body: object): Promise<Answer> => {
        const response = await fetch(`${server.controlUrl}/worlds/default/clock${target}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        if (!response.ok) throw new Error(`the clock was not changed: ${await response.text()}`);
        const answer: Answer = JSON.parse(await response.text());
        return answer;
      };
      await control('PUT', '', { frozen: true });
      await furnish(server);
      const turns = new Turns();
      turns.start();
      const began = performance.now();
      const cpu = process.cpuUsage();
      const { data } = await control('POST', '/advance', { by: `P${DAYS}D` });
      const took_ms = performance.now() - began;
      const { user, system } = process.cpuUsage(cpu);
      const longest_ms = turns.stop();
      await furnish(server);
      const days: number[] = [];
      const most = Math.min(DAYS, Math.ceil(run.effort.seconds * 30));
      for (let day = 0; day < most; day++) {
        const from = performance.now();
        await control('POST', '/advance', { by: 'P1D' });
        days.push(performance.now() - from);
      }
      const day = percentiles(days);
      const notes = `${data.total} things happened in ${took_ms.toFixed(0)} ms (processor ${((user + system) / 1000).toFixed(0)} ms), longest turn ${longest_ms.toFixed(1)} ms of the processor`;
      const name = `clock: ninety days of ${LINE_ITEMS} line items and ${POSTS} scheduled posts`;
      return [
        benchRow({ name, p50_ms: took_ms, ratio: MOST_MS / took_ms, ratio_of: `${MOST_MS} ms / it`, aim: 1, notes }),
        benchRow({
          name: 'a day of clock',
          ...day,
          ratio: MOST_MS / DAYS / day.p50_ms,
          ratio_of: `${(MOST_MS / DAYS).toFixed(0)} ms / p50`,
          aim: 1,
        }),
      ];
    } finally {
      await server.close();
    }
  });
}

/** Books flights, schedules posts and uploads members, spread over the ninety days that come. */
async function furnish({ credentialsFile = '', urls, world }: RunningServer): Promise<void> {
  const credentials: Credentials = JSON.parse(readFileSync(credentialsFile, 'utf8'));
  const client = createClient({ ...credentials, ads_sandbox_base_url: urls.sandbox }, { environment: 'sandbox' });
  const account_id = credentials.sandbox_account_id;
  const now = world.clock.now();
  const timeIn = (days: number) => formatTimestamp(now + days * DAY_MS);
  const [funding] = (await client.funding_instruments.list({ account_id })).data;
  if (!funding) throw new TypeError('the demo has a funding instrument');
  const campaign = await client.campaigns.create({
    account_id,
    funding_instrument_id: funding.id,
    name: 'Autumn',
    daily_budget_amount_local_micro: 10_000_000n,
  });
  for (let i = 0; i < LINE_ITEMS; i++) {
    await client.line_items.create({
      account_id,
      campaign_id: campaign.id,
      objective: 'ENGAGEMENTS',
      product_type: 'PROMOTED_POSTS',
      placements: ['ALL_ON_PLATFORM'],
      start_time: timeIn(1 + (i * 37) / LINE_ITEMS),
      end_time: timeIn(45 + (i * 44) / LINE_ITEMS),
    });
  }
  for (let i = 0; i < POSTS; i++) {
    await client.scheduled_posts.create({
      account_id,
      as_user_id: credentials.user_id,
      text: `Reading ${now} ${i}`,
      scheduled_at: timeIn(1 + i * 2.8),
    });
  }
  const audience = await client.custom_audiences.create({ account_id, name: `Readers ${now}` });
  const handle = createHash('sha256').update(credentials.screen_name.toLowerCase()).digest('hex');
  const params = { users: [{ handle: [handle] }], expires_at: timeIn(60) };
  await client.custom_audiences.users({
    account_id,
    custom_audience_id: audience.id,
    operations: [{ operation_type: 'Update', params }],
  });
}
