/** What tests need in a world that its interface does not make, or not in one call: people with tokens, accounts, funding instruments. */
import { initialSandboxFeatures } from '@broadside/core/resources/features';
import type { FundingInstrument } from '@broadside/core/resources/funding-instruments';
import { type Environment, families, type World } from '@broadside/server';
import type { TestUser } from './user.ts';

type Actor = Parameters<World['identity']['users']['create']>[0];

/** The members of a funding instrument that a test chooses. */
export type FundingFields = Omit<
  FundingInstrument,
  'id' | 'account_id' | 'able_to_fund' | 'reasons_not_able_to_fund' | 'created_at' | 'updated_at'
>;

/** The author of what a test makes. */
export const ACTOR: Actor = { user_id: null, platform: 'SERVER' };

/** The hash of `correct horse`, with which all users that tests make can sign in: hashing it takes longer than the rest of making one. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Z6AfVMg54ABxkSsBgmfckg$Kst+oqQYO7DGyQeZUEZkdjpof6fP+5q6gKI5cp4SFXY';

/** Makes a user with a token for an app of its own. */
export async function makeUser(
  { identity }: World,
  screen_name: string,
  access_level: 'read' | 'write',
): Promise<TestUser> {
  const person = { screen_name, name: screen_name, password: null, password_hash: PASSWORD_HASH };
  const user = await identity.users.create(ACTOR, person);
  const app = await identity.apps.create(ACTOR, {
    name: `App of ${screen_name}`,
    description: '',
    owner_user_id: user.id,
    callback_urls: [`https://${screen_name.toLowerCase()}.example.com/callback`],
    sign_in_enabled: false,
    oob_enabled: true,
    access_level: 'write',
  });
  const token = await identity.tokens.issue(ACTOR, app, user, access_level);
  return { ...token, consumer_key: app.consumer_key, consumer_secret: app.consumer_secret };
}

/** Issues another token to a user, for the app of its current token. @throws TypeError for a user of another world */
export async function issueTokenOf(
  { identity }: World,
  user: TestUser,
  access_level: 'read' | 'write',
): Promise<TestUser> {
  const [app, person] = await Promise.all([identity.apps.byKey(user.consumer_key), identity.users.get(user.user_id)]);
  if (!app || !person) throw new TypeError('the user is not of this world');
  return { ...user, ...(await identity.tokens.issue(ACTOR, app, person, access_level)) };
}

/** Makes an account with the user as ACCOUNT_ADMIN. @returns its id */
export async function makeAccount(platform: World, environment: Environment, user: TestUser): Promise<string> {
  const account = await platform.ads[environment].createAccount(ACTOR, {
    name: 'Test account',
    business_name: null,
    timezone: 'America/Los_Angeles',
    user_id: user.user_id,
    features: environment === 'sandbox' ? initialSandboxFeatures : [],
  });
  return account.id;
}

/** Makes a funding instrument in USD that requires no daily budget. @returns its id */
export async function makeFundingInstrument(
  platform: World,
  environment: Environment,
  account_id: string,
  fields: Partial<FundingFields>,
): Promise<string> {
  const { deleted, ...state } = fields;
  const row = await platform.ads[environment].account(account_id).write(ACTOR, async (account) => {
    const instruments = account.of(families.funding_instruments.fundingInstrument);
    const made = await instruments.insert({
      type: 'PARTNER_MANAGED',
      description: null,
      currency: 'USD',
      start_time: '2020-01-01T00:00:00Z',
      end_time: null,
      credit_limit_local_micro: null,
      credit_remaining_local_micro: null,
      funded_amount_local_micro: null,
      io_header: null,
      entity_status: 'ACTIVE',
      ...state,
    });
    return deleted ? instruments.delete(made) : made;
  });
  return row.id;
}
