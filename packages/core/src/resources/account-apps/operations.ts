import * as z from 'zod';
import { defineOperation } from '../../operation/define.ts';
import { listExclusive, listParams } from '../../operation/list.ts';
import { AccountApp } from './entity.ts';

/** An app for examples. */
export const exampleAccountApp = {
  id: '4x',
  app_store_identifier: 'com.example.android',
  conversion_tracking_enabled: false,
  deep_link_pattern: 'example://',
  os_type: 'Android',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

const listAccountApps = defineOperation({
  id: 'account_apps.list',
  summary: 'List the mobile apps of an account',
  http: { method: 'GET', path: '/12/accounts/:account_id/account_apps' },
  access: { auth: 'user', capability: 'campaigns.read' },
  rateLimit: 'ads.account_read',
  envelope: 'list',
  params: z.object({ ...listParams(['created_at', 'updated_at']) }),
  exclusive: listExclusive,
  data: AccountApp,
  errors: ['ACCOUNT_DELETED'],
  example: { params: { account_id: '18ce54d4x5t' }, data: exampleAccountApp },
});

export const operations = { list: listAccountApps };

export const position = 100;
