/** A user with permissions on an account, for examples of the contract. */
export const exampleAccess = {
  user_id: '1503831318555086849',
  permissions: ['AD_MANAGER' as const, 'POST_COMPOSER' as const],
};
