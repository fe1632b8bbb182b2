/** Environment variables of clients. They stand beside the settings of a server, which pays no attention to them. */

/** The variable of each member of `credentials.json` that programs need. */
export const credentialVariables = {
  base_url: 'BROADSIDE_API_URL',
  ads_base_url: 'BROADSIDE_ADS_URL',
  ads_sandbox_base_url: 'BROADSIDE_SANDBOX_URL',
  consumer_key: 'BROADSIDE_CONSUMER_KEY',
  consumer_secret: 'BROADSIDE_CONSUMER_SECRET',
  access_token: 'BROADSIDE_ACCESS_TOKEN',
  access_token_secret: 'BROADSIDE_ACCESS_TOKEN_SECRET',
  bearer_token: 'BROADSIDE_BEARER_TOKEN',
  user_id: 'BROADSIDE_USER_ID',
  screen_name: 'BROADSIDE_SCREEN_NAME',
  account_id: 'BROADSIDE_ACCOUNT_ID',
  sandbox_account_id: 'BROADSIDE_SANDBOX_ACCOUNT_ID',
} as const satisfies Readonly<Record<string, `BROADSIDE_${string}`>>;

/** All variables that only clients read. */
export const clientVariables: readonly string[] = [
  ...Object.values(credentialVariables),
  'BROADSIDE_CONTROL_URL',
  'BROADSIDE_CREDENTIALS',
  'BROADSIDE_PROFILE',
  'BROADSIDE_TOKEN_SECRET',
];
