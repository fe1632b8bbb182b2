/** Faults of the bodies of answers, where an answer has none. */
import type { FaultRule } from '@broadside/core/resources/control/faults';
import { expect, test } from 'vitest';
import { origins } from '../adapters/testing/world.ts';
import { faultStage } from './testing/fault-stage.ts';

const stage = faultStage();

/** Sends a request that is signed. */
async function send(method: 'GET' | 'HEAD' | 'POST', listener: 'api' | 'ads', target: string) {
  const authorization = await stage().sign(method, `${origins[listener]}${target}`);
  const headers = { host: new URL(origins[listener]).host, authorization };
  const { statusCode, payload } = await stage().apps[listener].inject({ method, url: target, headers });
  return { status: statusCode, payload };
}

const segments = (query: Readonly<Record<string, string>>) =>
  send('POST', 'api', `/1.1/media/upload.json?${new URLSearchParams(query)}`);

const damages: readonly FaultRule['effect'][] = [{ drop: 'mid_body' }, { body: 'cut' }, { body: 'not_json' }];

test.each(damages)('%j waits for a call whose answer has a body', async (effect) => {
  const rule = await stage().world.faults.create({ effect, times: 1 });
  const campaigns = `/12/accounts/${stage().credentials.account_id}/campaigns`;
  expect((await send('HEAD', 'ads', campaigns)).status).toBe(200);
  expect(rule).toMatchObject({ matched: 0, fired: 0 });
  await send('GET', 'ads', campaigns).catch(() => {});
  expect(rule).toMatchObject({ matched: 1, fired: 1 });
});

test.each(damages)(
  '%j leaves the answer to a segment of an upload alone, and the answers after it not',
  async (effect) => {
    const begun = await segments({ command: 'INIT', total_bytes: '4', media_type: 'image/png' });
    const media_id: string = JSON.parse(begun.payload).media_id_string;
    const rule = await stage().world.faults.create({ match: { operation: ['media_v1.*'] }, effect, times: 1 });
    const media_data = Buffer.from('done').toString('base64');
    expect((await segments({ command: 'APPEND', media_id, segment_index: '0', media_data })).status).toBe(204);
    expect(rule).toMatchObject({ matched: 0, fired: 0 });
    await segments({ command: 'INIT', total_bytes: '4', media_type: 'image/png' }).catch(() => {});
    expect(rule).toMatchObject({ matched: 1, fired: 1 });
  },
);

test('the failure beside a damage befalls a call whose answer has no body', async () => {
  const rule = await stage().world.faults.create({ effect: { status: 500, drop: 'mid_body' } });
  const campaigns = `/12/accounts/${stage().credentials.account_id}/campaigns`;
  expect((await send('HEAD', 'ads', campaigns)).status).toBe(500);
  expect(rule).toMatchObject({ matched: 1, fired: 1 });
});
