/** Specification C, audience estimates. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-AUDIENCE-SIZE': {
    clause: 'C Audience estimate',
    text: 'an estimate answers with audience_size {min, max}, between which the number of people who match lies',
    on: 'every adapter',
  },
  'C-AUDIENCE-SMALL': {
    clause: 'R targeting 7',
    text: 'any number of people below 1,000 is told alike',
    on: 'every adapter',
  },
  'C-AUDIENCE-NE': {
    clause: 'C Audience estimate',
    text: 'operator_type is EQ when left out, and NE negates a criterion',
    on: 'every adapter',
  },
  'C-AUDIENCE-JOIN': {
    clause: 'R targeting 3, combination rules',
    text: 'primary types are joined by union, other types by AND, values of one type by OR',
    on: 'every adapter',
  },
  'C-AUDIENCE-PEOPLE': {
    clause: '5 Audience estimate',
    text: 'people are counted by location, language, platform, gender, age and interest',
    on: 'every adapter',
  },
  'C-AUDIENCE-KEYWORDS': {
    clause: 'R targeting 3, keyword match',
    text: 'a broad keyword is all its words in any order, a phrase the sequence, an exact keyword nothing else',
    on: 'every adapter',
  },
  'C-AUDIENCE-FOLLOWERS': {
    clause: '5 Audience estimate',
    text: 'people are counted who follow a user, or are like those who do',
    on: 'every adapter',
  },
  'C-AUDIENCE-UNKNOWN': {
    clause: 'R targeting 3',
    text: 'what the platform knows of nobody finds nobody, and what says where an advertisement stands changes nothing',
    on: 'every adapter',
  },
  'C-AUDIENCE-REQUIRED': {
    clause: 'C Audience estimate',
    text: 'targeting_criteria is required, and a list',
    on: 'every adapter',
  },
  'C-AUDIENCE-PRIMARY': {
    clause: 'C Audience estimate',
    text: 'at least one primary targeting criterion is required',
    on: 'every adapter',
  },
  'C-AUDIENCE-CRITERION': {
    clause: 'C Audience estimate',
    text: 'each criterion has the parameters of the targeting criteria create endpoint, and is checked as there',
    on: 'every adapter',
  },
  'C-AUDIENCE-LIMIT': {
    clause: 'R targeting 3, limits',
    text: 'an estimate takes up to 1,000 criteria, and of each kind no more than a line item',
    on: 'every adapter',
  },
  'C-AUDIENCE-FRESH': {
    clause: '5 Audience estimate',
    text: 'an estimate counts people as they are when it is asked for',
    on: 'every adapter',
  },
  'C-AUDIENCE-ECHO': {
    clause: 'R campaign-management 18',
    text: 'an estimate echoes its account, and null in place of the criteria',
    on: wire,
  },
  'C-AUDIENCE-BODY': {
    clause: 'C Audience estimate',
    text: 'the criteria come as a JSON object in the body and in no other way; any other body is a 400 or 415',
    on: wire,
  },
  'C-AUDIENCE-ENVIRONMENTS': {
    clause: '5 Audience estimate',
    text: 'sandbox and production count the same people',
    on: wire,
  },
};

export const operations: OperationRows = {
  'audience_estimate.create': {
    route: 'POST /12/accounts/:account_id/audience_estimate',
    required: 'targeting_criteria',
    capability: 'audience.estimate',
  },
};
