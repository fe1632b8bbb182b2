/** The schemas of the kinds of entity that have a history; they determine which members snapshots may show. */
import type * as z from 'zod';
import { Campaign } from '../campaigns/entity.ts';
import { CustomAudience } from '../custom-audiences/entity.ts';
import { LineItem } from '../line-items/entity.ts';
import { PromotedAccount } from '../promoted-accounts/entity.ts';
import { PromotedPost } from '../promoted-posts/entity.ts';
import { TargetingCriterion } from '../targeting-criteria/entity.ts';
import type { HistoryEntity } from './entity.ts';

/** The schema of each kind of entity that has a history. */
export const historySchemas: Readonly<Record<HistoryEntity, z.ZodObject>> = {
  CAMPAIGN: Campaign,
  LINE_ITEM: LineItem,
  PROMOTED_POST: PromotedPost,
  TARGETING_CRITERIA: TargetingCriterion,
  PROMOTED_ACCOUNT: PromotedAccount,
  CUSTOM_AUDIENCE: CustomAudience,
};
