/** Actions on what the platform does later: processing of media and audiences, and the publication of scheduled posts. */
import { id, int, numericId, oneOf, text } from '../../wire/types.ts';
import { ActionOutcome, exampleWhere, where } from './actions-shared.ts';
import { inWorld } from './on-world.ts';

const process_media = inWorld('control.actions.process_media', 'POST', '/worlds/:world_id/actions/process_media', {
  summary: 'End the processing of media now',
  description:
    'With SUCCEEDED the bytes are inspected at once, so that media that are broken fail all the same. With FAILED they fail with the error that is given.',
  envelope: 'entity',
  params: () => ({
    media_id: numericId().describe('The upload, which has been finalized.'),
    outcome: oneOf(['SUCCEEDED', 'FAILED']).default('SUCCEEDED').describe('What processing comes to.'),
    code: int({ min: 1, max: 99 }).optional().describe('The code of the error; 1 when left out. With FAILED only.'),
    name: text({ max: 100 }).optional().describe('Its name; `InvalidMedia` when left out. With FAILED only.'),
    message: text({ max: 1000 }).optional().describe('Its text. With FAILED only.'),
  }),
  data: ActionOutcome,
  errors: ['INVALID_PARAMETER', 'NOT_FOUND', 'WRONG_STATE'],
  example: {
    params: { media_id: '1503831318555086850', outcome: 'FAILED', code: 1 },
    data: {
      changed: [
        {
          entity: 'MEDIA',
          id: '1503831318555086850',
          after: { state: 'failed', error: { code: 1, name: 'InvalidMedia', message: 'The file is damaged.' } },
        },
      ],
    },
  },
});

const process_audience = inWorld(
  'control.actions.process_audience',
  'POST',
  '/worlds/:world_id/actions/process_audience',
  {
    summary: 'End the processing of an audience or a do-not-reach list now',
    description:
      'Its members are counted at once. With `matched_count` it has so many whatever its members are, until it is processed the next time: with less than 100 it is TOO_SMALL.',
    envelope: 'entity',
    params: () => ({
      ...where,
      audience_id: id().describe('The custom audience, or the do-not-reach list.'),
      matched_count: int({ min: 0, max: 1_000_000_000 }).optional().describe('How many people it has.'),
    }),
    data: ActionOutcome,
    errors: ['NOT_FOUND'],
    example: {
      params: { ...exampleWhere, audience_id: '1n4', matched_count: 99 },
      data: {
        changed: [
          { entity: 'CUSTOM_AUDIENCE', id: '1n4', after: { targetable: false, reasons_not_targetable: ['TOO_SMALL'] } },
        ],
      },
    },
  },
);

const scheduled = {
  envelope: 'entity',
  data: ActionOutcome,
  errors: ['NOT_FOUND', 'WRONG_STATE'],
} as const;

const ofScheduled = () => ({ ...where, scheduled_post_id: numericId().describe('The scheduled post.') });
const exampleScheduled = { ...exampleWhere, scheduled_post_id: '1503831318555086870' } as const;
const scheduledAs = (after: Record<string, unknown>) => ({
  changed: [{ entity: 'SCHEDULED_POST' as const, id: exampleScheduled.scheduled_post_id, after }],
});

const publish = inWorld('control.actions.publish', 'POST', '/worlds/:world_id/actions/publish', {
  summary: 'Publish a scheduled post now',
  description: 'All that is verified at its time is verified now, so that it can fail.',
  ...scheduled,
  params: ofScheduled,
  example: { params: exampleScheduled, data: scheduledAs({ scheduled_status: 'SUCCESS' }) },
});

const fail = inWorld('control.actions.fail', 'POST', '/worlds/:world_id/actions/fail', {
  summary: 'Have a scheduled post fail now',
  ...scheduled,
  params: () => ({
    ...ofScheduled(),
    code: text({ max: 100, pattern: /^[A-Z][A-Z_]*$/, format: 'an error such as INVALID_MEDIA' })
      .default('INTERNAL_ERROR')
      .describe('The error that it shows.'),
    message: text({ max: 1000 }).default('The post could not be published').describe('The text of the error.'),
  }),
  example: {
    params: { ...exampleScheduled, code: 'INVALID_MEDIA' },
    data: scheduledAs({ scheduled_status: 'FAILED' }),
  },
});

/** Actions on what the platform does later. */
export const processing = { process_media, process_audience, publish, fail };
