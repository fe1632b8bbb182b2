/** Specification C, media creatives. */
import { type OperationRows, PAGE } from '../support/operation-row.ts';
import { operator, type Requirements } from '../support/requirement.ts';

export const requirements: Requirements = {
  'C-CREATIVE-CREATE': {
    clause: 'C Media creatives, POST',
    text: 'account media are attached to a line item, once',
    on: 'every adapter',
  },
  'C-CREATIVE-LANDING': {
    clause: 'C Media creatives, POST landing_url',
    text: 'an address is required for WEBSITE_CLICKS, optional for other images, ignored for videos',
    on: 'every adapter',
  },
  'C-CREATIVE-LINE': {
    clause: 'C Media creatives, POST; R campaign-management 13',
    text: 'media and line items that do not fit or are not there are refused',
    on: 'every adapter',
  },
  'C-CREATIVE-FILTER': {
    clause: 'C Media creatives, GET',
    text: 'media creatives are filtered by campaign, line items and ids',
    on: 'every adapter',
  },
  'C-CREATIVE-DELETE': {
    clause: 'C States, media creative DELETE',
    text: 'a deleted media creative is gone, but for with_deleted',
    on: 'every adapter',
  },
  'C-CREATIVE-OF-DELETED': {
    clause: 'C States, line item DELETE',
    text: 'media creatives of a deleted line item or campaign are shown with_deleted only',
    on: 'every adapter',
  },
  'C-CREATIVE-MEDIA': {
    clause: 'C Media creatives; R creatives 2',
    text: 'uploaded media become account media of the type that their bytes have',
    on: operator,
  },
};

export const operations: OperationRows = {
  'media_creatives.list': {
    route: 'GET /12/accounts/:account_id/media_creatives',
    optional: `campaign_id line_item_ids media_creative_ids ${PAGE}`,
    sortable: 'created_at updated_at',
    capability: 'creatives.read',
  },
  'media_creatives.get': {
    route: 'GET /12/accounts/:account_id/media_creatives/:media_creative_id',
    optional: 'with_deleted',
    capability: 'creatives.read',
  },
  'media_creatives.create': {
    route: 'POST /12/accounts/:account_id/media_creatives',
    required: 'account_media_id line_item_id',
    optional: 'landing_url',
    capability: 'creatives.write',
  },
  'media_creatives.delete': {
    route: 'DELETE /12/accounts/:account_id/media_creatives/:media_creative_id',
    capability: 'creatives.write',
  },
};
