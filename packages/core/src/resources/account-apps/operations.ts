import { exampleSystemMembers } from '../../operation/entity.ts';
import { listExclusive, listParams } from '../../operation/list.ts';
import { defineAccountRead } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { AccountApp } from './entity.ts';

export const exampleAccountApp = {
  id: '4x',
  app_store_identifier: 'com.example.android',
  conversion_tracking_enabled: false,
  deep_link_pattern: 'example://',
  os_type: 'Android',
  ...exampleSystemMembers,
} as const;

export const operations = {
  list: defineAccountRead('account_apps.list', '/12/accounts/:account_id/account_apps', {
    summary: 'List the mobile apps of an account',
    capability: 'campaigns.read',
    envelope: 'list',
    params: object(() => ({ ...listParams(['created_at', 'updated_at']) })),
    exclusive: listExclusive,
    data: AccountApp,
    example: { params: {}, data: exampleAccountApp },
  }),
};

export const position = 100;
