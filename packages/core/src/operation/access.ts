/**
 * Access rights: the permissions that a person holds on an account, and the capabilities that operations require
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
 * The capabilities that operations require on an account, and the permissions that grant each. POST_COMPOSER only adds
 * to another permission, so it grants nothing on its own.
 */
export const capabilities = {
  /** The account's own record and its features: everyone with any access to the account. */
  'account.read': [
    'ACCOUNT_ADMIN',
    'AD_MANAGER',
    'CREATIVE_MANAGER',
    'CAMPAIGN_ANALYST',
    'ANALYST',
    'PARTNER_AUDIENCE_MANAGER',
  ],
  /**
   * Account settings, and everything that a caller can change in the sandbox only: features, funding, the account
   * itself.
   */
  'account.write': ['ACCOUNT_ADMIN'],
  /** The users with access to the account. */
  'access.manage': ['ACCOUNT_ADMIN'],
  /**
   * Campaigns, line items and the funding behind them. A creative manager reads them to attach creatives (our reading:
   * the specification withholds only creating and modifying); an ANALYST cannot view campaigns.
   */
  'campaigns.read': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER', 'CAMPAIGN_ANALYST'],
  'campaigns.write': ['ACCOUNT_ADMIN', 'AD_MANAGER'],
  /** The number of people that targeting would reach: everyone who may read campaigns or analytics. */
  'audience.estimate': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER', 'CAMPAIGN_ANALYST', 'ANALYST'],
  /** Promoted posts and media creatives: what a creative manager creates and modifies. */
  'creatives.read': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER', 'CAMPAIGN_ANALYST'],
  'creatives.write': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER'],
  /**
   * Audiences. Whoever reads campaigns sees in their targeting which audiences there are. Our reading of "data-partner
   * audiences only": all audiences of this interface, which have no attribute that would set others apart.
   */
  'audiences.read': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER', 'CAMPAIGN_ANALYST', 'PARTNER_AUDIENCE_MANAGER'],
  'audiences.write': ['ACCOUNT_ADMIN', 'AD_MANAGER', 'PARTNER_AUDIENCE_MANAGER'],
} as const satisfies Record<string, readonly Permission[]>;

/** The name of a capability on an account. */
export type Capability = keyof typeof capabilities;

/** Returns whether one of the permissions held grants the capability. */
export function allows(held: readonly Permission[], capability: Capability): boolean {
  const enough: readonly Permission[] = capabilities[capability];
  return held.some((permission) => enough.includes(permission));
}
