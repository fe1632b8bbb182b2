/** When a campaign is servable: specification C, States. */
import { expect } from 'vitest';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

interface State {
  readonly title: string;
  readonly campaign?: Readonly<Record<string, unknown>>;
  /** Line items by start and end, in hours from now. */
  readonly flights?: readonly (readonly [start: number, end: number, entity_status?: 'DRAFT' | 'PAUSED'])[];
  readonly funding?: { readonly start?: number; readonly end?: number; readonly deleted?: true };
  readonly approval?: 'UNDER_REVIEW' | 'REJECTED';
  readonly reasons: readonly string[];
  readonly status: string;
}

const running = [[-1, 1]] as const;

const states: readonly State[] = [
  { title: 'complete', flights: running, reasons: [], status: 'ACTIVE' },
  { title: 'without line items', reasons: ['INCOMPLETE'], status: 'UNKNOWN' },
  {
    title: 'paused without line items',
    campaign: { entity_status: 'PAUSED' },
    reasons: ['PAUSED_BY_ADVERTISER', 'INCOMPLETE'],
    status: 'UNKNOWN',
  },
  {
    title: 'paused',
    campaign: { entity_status: 'PAUSED' },
    flights: running,
    reasons: ['PAUSED_BY_ADVERTISER'],
    status: 'PAUSED',
  },
  {
    title: 'a draft',
    campaign: { entity_status: 'DRAFT' },
    flights: running,
    reasons: ['INCOMPLETE'],
    status: 'UNKNOWN',
  },
  { title: 'ended', flights: [[-3, -1]], reasons: ['EXPIRED'], status: 'EXPIRED' },
  { title: 'one of two flights ended', flights: [[-3, -1], ...running], reasons: [], status: 'ACTIVE' },
  { title: 'ahead', flights: [[1, 2]], reasons: ['STARTS_IN_FUTURE'], status: 'ACTIVE' },
  { title: 'one of two flights ahead', flights: [[1, 2], ...running], reasons: [], status: 'ACTIVE' },
  { title: 'nothing but a draft', flights: [[-1, 1, 'DRAFT']], reasons: ['INCOMPLETE'], status: 'UNKNOWN' },
  {
    title: 'a draft before the flight',
    flights: [
      [1, 2],
      [-1, 2, 'DRAFT'],
    ],
    reasons: ['STARTS_IN_FUTURE'],
    status: 'ACTIVE',
  },
  {
    title: 'a draft after the flight',
    flights: [
      [-3, -1],
      [-3, 1, 'DRAFT'],
    ],
    reasons: ['EXPIRED'],
    status: 'EXPIRED',
  },
  { title: 'a paused line item', flights: [[-1, 1, 'PAUSED']], reasons: [], status: 'ACTIVE' },
  {
    title: 'instrument ahead',
    flights: [[-1, 2]],
    funding: { start: 1 },
    reasons: ['STARTS_IN_FUTURE'],
    status: 'ACTIVE',
  },
  {
    title: 'instrument expired',
    flights: [[-2, 1]],
    funding: { end: -1 },
    reasons: ['FUNDING_PROBLEM'],
    status: 'ACTIVE',
  },
  {
    title: 'under review',
    flights: running,
    approval: 'UNDER_REVIEW',
    reasons: ['ACCOUNT_UNDER_REVIEW'],
    status: 'ACTIVE',
  },
  { title: 'rejected', flights: running, approval: 'REJECTED', reasons: ['ACCOUNT_REJECTED'], status: 'ACTIVE' },
  {
    title: 'everything at once',
    campaign: { entity_status: 'PAUSED' },
    flights: [[-3, -1]],
    funding: { end: -1 },
    approval: 'REJECTED',
    reasons: ['PAUSED_BY_ADVERTISER', 'EXPIRED', 'FUNDING_PROBLEM', 'ACCOUNT_REJECTED'],
    status: 'PAUSED',
  },
];

async function bringAbout(
  stage: Stage,
  { title, campaign, flights = [], funding = {}, approval }: State,
): Promise<Entity> {
  const at = (hours: number) => `${new Date(stage.world.clock.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`;
  const funding_instrument_id = await stage.fundingInstrument({
    ...(funding.start === undefined ? {} : { start_time: at(funding.start) }),
    ...(funding.end === undefined ? {} : { end_time: at(funding.end) }),
  });
  const made = await stage.campaign({ name: title, funding_instrument_id, ...campaign });
  for (const [start, end, entity_status] of flights) {
    await stage.lineItem(made, { start_time: at(start), end_time: at(end), entity_status });
  }
  if (approval) await stage.world.setApproval(stage.account_id, approval);
  return made;
}

scenario('C-CAMPAIGN-SERVABLE', async (stage) => {
  for (const state of states) {
    const { id: campaign_id } = await bringAbout(stage, state);
    const expected = {
      servable: state.reasons.length === 0,
      reasons_not_servable: state.reasons,
      effective_status: state.status,
    };
    expect(await stage.one('campaigns.get', { campaign_id }), state.title).toMatchObject(expected);
    const [listed] = await stage.many('campaigns.list', { campaign_ids: [campaign_id], with_draft: true });
    expect(listed, state.title).toMatchObject(expected);
    const deleted = await stage.one('campaigns.delete', { campaign_id });
    expect(deleted, state.title).toMatchObject({
      servable: null,
      reasons_not_servable: [],
      effective_status: state.reasons.length === 0 ? 'RUNNING' : 'UNKNOWN',
    });
    await stage.world.setApproval(stage.account_id, 'ACCEPTED');
  }
  // Time alone moves a campaign through its flight.
  const { id: campaign_id } = await bringAbout(stage, { title: 'passing', flights: [[1, 2]], reasons: [], status: '' });
  for (const [hours, status] of [
    [0.5, 'STARTS_IN_FUTURE'],
    [1, undefined],
    [1, 'EXPIRED'],
  ] as const) {
    stage.world.clock.advance(hours * 3_600_000);
    const { reasons_not_servable } = await stage.one('campaigns.get', { campaign_id });
    expect(reasons_not_servable).toEqual(status ? [status] : []);
  }
});
