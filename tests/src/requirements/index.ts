/**
 * What the specification asks of the platform, sentence by sentence, as data: one file for each of its parts. Tests cite
 * the ids: scenarios (`tests/src/scenarios`) play a requirement on every adapter that can express it, other tests name it in
 * their title. A gate (`requirements.test.ts`) holds that nothing is uncited.
 */
import { accountHistory } from './account-history.ts';
import { accounts } from './accounts.ts';
import { audience } from './audience.ts';
import { authentication } from './authentication.ts';
import { campaigns } from './campaigns.ts';
import { dataRetrieval } from './data-retrieval.ts';
import { features } from './features.ts';
import { fundingInstruments } from './funding-instruments.ts';
import { lineItems } from './line-items.ts';
import { lookups } from './lookups.ts';
import { media } from './media.ts';
import { promotion } from './promotion.ts';
import { sharedConventions } from './shared-conventions.ts';
import { storage } from './storage.ts';
import { targeting } from './targeting.ts';
import { userAccess } from './user-access.ts';

/** The parts, one file each. */
export const parts = {
  sharedConventions,
  authentication,
  dataRetrieval,
  accounts,
  accountHistory,
  userAccess,
  features,
  fundingInstruments,
  campaigns,
  lineItems,
  promotion,
  lookups,
  storage,
  media,
  targeting,
  audience,
};

export const requirements = {
  ...sharedConventions,
  ...authentication,
  ...dataRetrieval,
  ...accounts,
  ...accountHistory,
  ...userAccess,
  ...features,
  ...fundingInstruments,
  ...campaigns,
  ...lineItems,
  ...promotion,
  ...lookups,
  ...storage,
  ...media,
  ...targeting,
  ...audience,
};

export type RequirementId = keyof typeof requirements;
