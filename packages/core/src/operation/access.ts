/**
 * Who may do what: the permissions that a person holds on an account, and the capabilities that operations ask for
 * (specification A, Authentication 6).
 */

/** The permissions of specification A, as `authenticated_user_access` returns them. */
export const permissions = [
  'ACCOUNT_ADMIN',
  'AD_MANAGER',
  'CREATIVE_MANAGER',
  'CAMPAIGN_ANALYST',
  'ANALYST',
  'PARTNER_AUDIENCE_MANAGER',
  'POST_COMPOSER',
] as const;

/** A permission that a user holds on an account. */
export type Permission = (typeof permissions)[number];

/**
 * What an operation needs on the account, and which permissions give it. POST_COMPOSER only adds to another permission,
 * so alone it opens nothing.
 */
export const capabilities = {
  /** The account's own record and its features: everyone who has any part in the account. */
  'account.read': [
    'ACCOUNT_ADMIN',
    'AD_MANAGER',
    'CREATIVE_MANAGER',
    'CAMPAIGN_ANALYST',
    'ANALYST',
    'PARTNER_AUDIENCE_MANAGER',
  ],
  /** Account settings, and what only the sandbox lets a caller change: features, funding, the account itself. */
  'account.write': ['ACCOUNT_ADMIN'],
  /** Who has a part in the account. */
  'access.manage': ['ACCOUNT_ADMIN'],
  /**
   * Campaigns, line items and the funding behind them. A creative manager reads them to attach creatives (our reading:
   * the specification withholds only creating and modifying); an ANALYST cannot view campaigns.
   */
  'campaigns.read': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER', 'CAMPAIGN_ANALYST'],
  'campaigns.write': ['ACCOUNT_ADMIN', 'AD_MANAGER'],
  /** How many people targeting would reach: whoever may read campaigns or analytics. */
  'audience.estimate': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER', 'CAMPAIGN_ANALYST', 'ANALYST'],
  /** Promoted posts and media creatives: what a creative manager creates and modifies. */
  'creatives.read': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER', 'CAMPAIGN_ANALYST'],
  'creatives.write': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER'],
} as const satisfies Record<string, readonly Permission[]>;

/** The name of something that a caller may be allowed to do on an account. */
export type Capability = keyof typeof capabilities;

/** Whether one of the permissions held gives the capability. */
export function allows(held: readonly Permission[], capability: Capability): boolean {
  const enough: readonly Permission[] = capabilities[capability];
  return held.some((permission) => enough.includes(permission));
}
