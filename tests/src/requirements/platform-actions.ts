/** What a platform does to its advertisers and users, on the control interface. No specification describes it. */
import { type Requirements, served } from '../support/requirement.ts';

const clause = '16 Platform-side actions';

export const requirements: Requirements = {
  'P-REVIEW': {
    clause,
    text: 'accounts, funding instruments, what is promoted and cards are approved, rejected and put under review, and campaigns follow',
    on: served,
  },
  'P-SUSPEND-ACCOUNT': {
    clause,
    text: 'a suspended account can be read, and nothing of it is served or can be changed until it is restored',
    on: served,
  },
  'P-SUSPEND-USER': {
    clause,
    text: 'a suspended user can call nothing and sign in nowhere, and nobody sees what they posted, until they are restored',
    on: served,
  },
  'P-SUSPEND-APP': { clause, text: 'a suspended app can call nothing until it is restored', on: served },
  'P-SPEND': {
    clause,
    text: 'what is spent on a line item counts on its campaign and its funding instrument, and total budgets run out',
    on: served,
  },
  'P-SPEND-DAY': {
    clause,
    text: 'a daily budget that is used up begins anew at midnight in the time zone of the account',
    on: served,
  },
  'P-SPEND-LINE-ITEMS': {
    clause,
    text: 'a campaign whose active line items have all used up their budgets has none left until one of them has',
    on: served,
  },
  'P-SPEND-CREDIT': {
    clause,
    text: 'credit and insertion orders run out, their instrument can fund no more, and its campaigns have a funding problem',
    on: served,
  },
  'P-SPEND-WRONG': {
    clause,
    text: 'an amount that is not positive, in another currency, on a draft or on what does not exist is rejected with what is right',
    on: served,
  },
  'P-HOLD': { clause, text: 'a campaign that is held waits for the approval of its advertiser', on: served },
  'P-PAUSE': { clause, text: 'the platform pauses a funding instrument and resumes it', on: served },
  'P-CROWD': {
    clause,
    text: 'as many people as are asked for vote, like, repost and follow, of whom the world makes those that it lacks',
    on: served,
  },
  'P-CROWD-WRONG': {
    clause,
    text: 'people who do not exist, a choice that the poll does not have, and a post that is not there are rejected, and nobody has done anything',
    on: served,
  },
  'P-MEDIA': {
    clause,
    text: 'processing of media succeeds or fails when it is told to, once',
    on: served,
  },
  'P-AUDIENCE': {
    clause,
    text: 'processing of an audience ends when it is told to, with the count that is given until the next upload',
    on: served,
  },
  'P-REVOKE': {
    clause,
    text: 'an access token, the access of an app for one user and for all of them is revoked at once',
    on: served,
  },
  'P-SESSIONS': { clause, text: 'the sessions of a user end', on: served },
  'P-PUBLICATION': {
    clause,
    text: 'a scheduled post is published or fails when it is told to, once',
    on: served,
  },
  'P-WRONG': {
    clause,
    text: 'an action without what it is about, or about what does not exist, says which parameter is wrong and what is right',
    on: served,
  },
};
