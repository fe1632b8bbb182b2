import { contract, operatorContract } from '@broadside/core';

/** Operations that tests look at. */
export const campaignsOperations = { list: contract.campaigns.list, tokens: operatorContract.admin.tokens.create };
export const appsOperations = { list: operatorContract.admin.apps.list };
