/** Actions on money: what delivery spends, and funding instruments that the platform pauses. */
import { currency, id, micro } from '../../wire/types.ts';
import { ActionOutcome, exampleWhere, where } from './actions-shared.ts';
import { inWorld } from './on-world.ts';

const funding_instrument_id = id().describe('The funding instrument.');

const spend = inWorld('control.actions.spend', 'POST', '/worlds/:world_id/actions/spend', {
  summary: 'Spend an amount on a line item, a campaign or a funding instrument',
  description:
    'What is spent on a line item is spent on its campaign too, and what is spent on a campaign is paid by its funding instrument. ' +
    'Amounts are taken as they are: budgets and credit can be exceeded, as charges arrive late. A budget of a day begins anew at ' +
    'midnight in the time zone of the account, by the clock of the world. A draft spends nothing.',
  envelope: 'entity',
  params: () => ({
    ...where,
    line_item_id: id().optional().describe('The line item.'),
    campaign_id: id().optional().describe('The campaign, without any of its line items.'),
    funding_instrument_id: funding_instrument_id.optional().describe('The funding instrument, without any campaign.'),
    amount_local_micro: micro().describe('The amount, in micros of the currency of the funding instrument.'),
    currency: currency()
      .optional()
      .describe('The currency of the amount; where it is given, it must be that of the instrument.'),
  }),
  exclusive: [
    ['line_item_id', 'campaign_id'],
    ['line_item_id', 'funding_instrument_id'],
    ['campaign_id', 'funding_instrument_id'],
  ],
  data: ActionOutcome,
  errors: [
    'CAMPAIGN_NOT_FOUND',
    'EXCLUSIVE_PARAMETERS',
    'FUNDING_INSTRUMENT_NOT_FOUND',
    'INVALID_PARAMETER',
    'LINE_ITEM_NOT_FOUND',
    'MISSING_PARAMETER',
    'NOT_FOUND',
    'WRONG_STATE',
  ],
  example: {
    params: { ...exampleWhere, campaign_id: '8wku2', amount_local_micro: 55_000_000 },
    data: {
      changed: [
        { entity: 'CAMPAIGN', id: '8wku2', after: { id: '8wku2', reasons_not_servable: ['BUDGET_EXHAUSTED'] } },
        { entity: 'FUNDING_INSTRUMENT', id: 'lygyi', after: { id: 'lygyi', able_to_fund: true } },
      ],
    },
  },
});

const instrument = {
  envelope: 'entity',
  params: () => ({ ...where, funding_instrument_id }),
  data: ActionOutcome,
  errors: ['FUNDING_INSTRUMENT_NOT_FOUND', 'NOT_FOUND'],
} as const;

const instrumentWith = (entity_status: string) => ({
  params: { ...exampleWhere, funding_instrument_id: 'lygyi' },
  data: { changed: [{ entity: 'FUNDING_INSTRUMENT' as const, id: 'lygyi', after: { id: 'lygyi', entity_status } }] },
});

const pause = inWorld('control.actions.pause', 'POST', '/worlds/:world_id/actions/pause', {
  summary: 'Pause a funding instrument',
  description: 'It is still able to fund: the interface knows no reason that stands for a pause.',
  ...instrument,
  example: instrumentWith('PAUSED'),
});

const resume = inWorld('control.actions.resume', 'POST', '/worlds/:world_id/actions/resume', {
  summary: 'End the pause of a funding instrument',
  ...instrument,
  example: instrumentWith('ACTIVE'),
});

/** Actions on money. */
export const funds = { spend, pause, resume };
