import * as z from 'zod';
import { account_id } from '../../operation/list.ts';
import { defineAccountWrite } from '../../operation/on-account.ts';
import { object, strictObject } from '../../wire/object.ts';
import { oneOf } from '../../wire/types.ts';
import { criterionTerms } from '../targeting-criteria/params.ts';
import { AudienceEstimate } from './entity.ts';
import { MAX_CRITERIA } from './limits.ts';
import { SMALLEST_AUDIENCE } from './size.ts';

/** A criterion: the parameters for creating a targeting criterion, without the line item. */
const Criterion = strictObject(() => ({
  targeting_type: criterionTerms.shape.targeting_type,
  targeting_value: criterionTerms.shape.targeting_value,
  operator_type: oneOf(['EQ', 'NE']).default('EQ').describe('EQ asks for people who match, NE takes them away.'),
}));

export const operations = {
  create: defineAccountWrite('audience_estimate.create', 'POST', '/12/accounts/:account_id/audience_estimate', {
    summary: 'Estimate how many people targeting criteria reach',
    description: [
      'Counts the people of the platform, which both environments share. Nothing is stored.',
      'Criteria of primary types (keywords, interests, followers, custom audiences and the like) are joined by union, all other types narrow that down, and values of one type stand beside each other; whoever matches a criterion with NE is left out. At least one criterion has a primary type.',
      'A keyword finds people who wrote it in a post of the last 365 days that is no repost: BROAD_KEYWORD all its words in any order, PHRASE_KEYWORD its words in their order, EXACT_KEYWORD nothing else. A place finds people in all that lies in it. Similar to the followers of a user are those who are not among them, and follow two or more of the ten accounts that they follow most. Types of which the platform knows nothing about people, such as devices, find nobody; types that say where advertisements stand, such as IAB_CATEGORY, change nothing.',
      `The bounds are the count cut to its first two digits, and one more in the second digit. Below ${SMALLEST_AUDIENCE} people they are always 0 and ${SMALLEST_AUDIENCE}.`,
    ].join(' '),
    capability: 'audience.estimate',
    envelope: 'entity',
    body: 'json',
    params: object(() => ({
      account_id,
      targeting_criteria: z
        .array(Criterion)
        .describe(`Up to ${MAX_CRITERIA} criteria, at least one of them of a primary type.`),
    })),
    echo: (sent) => ({ targeting_criteria: null, account_id: sent['account_id'] }),
    data: AudienceEstimate,
    errors: ['INVALID_IAB_CATEGORY', 'INVALID_TARGETING_TYPE', 'REQUEST_TOO_COMPLEX'],
    example: {
      params: {
        targeting_criteria: [
          { targeting_type: 'BROAD_KEYWORD', targeting_value: 'rain garden' },
          { targeting_type: 'BROAD_KEYWORD', targeting_value: 'umbrella', operator_type: 'NE' },
          { targeting_type: 'LOCATION', targeting_value: '96683cc9126741d1' },
        ],
      },
      data: { audience_size: { min: 41_000, max: 42_000 } },
    },
  }),
};

export const position = 230;
