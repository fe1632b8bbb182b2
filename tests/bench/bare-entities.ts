/**
 * Single entities as the bare server of the families shows them: read and written as in `bare-server.ts`, with the members of the
 * documented answer in its order, so that its bytes are those of the server.
 */

type Cells = readonly unknown[];

/** Returns the facts of media as cards show them, by their key. */
export type MediaOf = (media_key: string) => unknown;

/** An entity that can be read by its id. */
interface BareEntity {
  /** The parameter with the id. */
  readonly id: string;
  readonly columns: readonly string[];
  /** @param cells one for each column */
  readonly show: (cells: Cells, mediaOf: MediaOf) => unknown;
}

/** By table. */
export const bareEntities: Readonly<Record<string, BareEntity>> = {
  line_items: {
    id: 'line_item_id',
    columns: [
      'id',
      'name',
      'campaign_id',
      'funding_instrument_id',
      'advertiser_user_id',
      'objective',
      'product_type',
      'placements',
      'start_time',
      'end_time',
      'goal',
      'pay_by',
      'bid_strategy',
      'bid_amount_local_micro',
      'target_cpa_local_micro',
      'primary_web_event_tag',
      'daily_budget_amount_local_micro',
      'total_budget_amount_local_micro',
      'standard_delivery',
      'duration_in_days',
      'frequency_cap',
      'entity_status',
      'automatic_post_promotion',
      'advertiser_domain',
      'categories',
      'android_app_store_identifier',
      'ios_app_store_identifier',
      'audience_expansion',
      'currency',
      'creative_source',
      'created_at',
      'updated_at',
      'deleted',
    ],
    show([
      id,
      name,
      campaign_id,
      funding_instrument_id,
      advertiser_user_id,
      objective,
      product_type,
      placements,
      start_time,
      end_time,
      goal,
      pay_by,
      bid_strategy,
      bid_amount_local_micro,
      target_cpa_local_micro,
      primary_web_event_tag,
      daily_budget_amount_local_micro,
      total_budget_amount_local_micro,
      standard_delivery,
      duration_in_days,
      frequency_cap,
      entity_status,
      automatic_post_promotion,
      advertiser_domain,
      categories,
      android_app_store_identifier,
      ios_app_store_identifier,
      audience_expansion,
      currency,
      creative_source,
      created_at,
      updated_at,
      deleted,
    ]) {
      return {
        id,
        name,
        campaign_id,
        funding_instrument_id,
        advertiser_user_id,
        objective,
        product_type,
        placements: parsed(placements),
        start_time,
        end_time,
        goal,
        pay_by,
        bid_strategy,
        bid_amount_local_micro,
        target_cpa_local_micro,
        primary_web_event_tag,
        daily_budget_amount_local_micro,
        total_budget_amount_local_micro,
        standard_delivery: flag(standard_delivery),
        duration_in_days,
        frequency_cap,
        entity_status,
        automatic_post_promotion: flag(automatic_post_promotion),
        advertiser_domain,
        categories: parsed(categories),
        android_app_store_identifier,
        ios_app_store_identifier,
        audience_expansion,
        currency,
        creative_source,
        created_at,
        updated_at,
        deleted: flag(deleted),
      };
    },
  },
  cards: {
    id: 'card_id',
    columns: ['id', 'name', 'components', 'created_at', 'updated_at', 'deleted', 'card_type'],
    show([id, name, components, created_at, updated_at, deleted, card_type], mediaOf) {
      const shown = stored(components).map((component) => {
        const { media_key } = component;
        return media_key === undefined
          ? component
          : { ...component, media_metadata: { [media_key]: mediaOf(media_key) } };
      });
      return {
        name,
        components: shown,
        created_at,
        card_uri: `card://${id}`,
        id,
        updated_at,
        deleted: flag(deleted),
        card_type,
      };
    },
  },
  promoted_posts: {
    id: 'promoted_post_id',
    columns: [
      'id',
      'line_item_id',
      'post_id',
      'entity_status',
      'approval_status',
      'created_at',
      'updated_at',
      'deleted',
    ],
    show([id, line_item_id, post_id, entity_status, approval_status, created_at, updated_at, deleted]) {
      return {
        id,
        line_item_id,
        post_id,
        entity_status,
        approval_status,
        created_at,
        updated_at,
        deleted: flag(deleted),
      };
    },
  },
  funding_instruments: {
    id: 'funding_instrument_id',
    columns: [
      'id',
      'account_id',
      'type',
      'description',
      'currency',
      'start_time',
      'end_time',
      'credit_limit_local_micro',
      'credit_remaining_local_micro',
      'funded_amount_local_micro',
      'io_header',
      'entity_status',
      'created_at',
      'updated_at',
      'deleted',
    ],
    show([
      id,
      account_id,
      type,
      description,
      currency,
      start_time,
      end_time,
      credit_limit_local_micro,
      credit_remaining_local_micro,
      funded_amount_local_micro,
      io_header,
      entity_status,
      created_at,
      updated_at,
      deleted,
    ]) {
      const now = `${new Date().toISOString().slice(0, 19)}Z`;
      const reasons_not_able_to_fund: string[] = [];
      if (deleted === 1) reasons_not_able_to_fund.push('DELETED');
      if (end_time !== null && String(end_time) <= now) reasons_not_able_to_fund.push('EXPIRED');
      const able_to_fund = reasons_not_able_to_fund.length === 0;
      return {
        id,
        account_id,
        type,
        description,
        currency,
        start_time,
        end_time,
        credit_limit_local_micro,
        credit_remaining_local_micro,
        funded_amount_local_micro,
        io_header,
        entity_status,
        able_to_fund,
        reasons_not_able_to_fund,
        created_at,
        updated_at,
        deleted: flag(deleted),
      };
    },
  },
};

function flag(cell: unknown): boolean | null {
  return cell === null ? null : cell === 1;
}

function parsed(cell: unknown): unknown {
  return JSON.parse(String(cell));
}

function stored(cell: unknown): { readonly media_key?: string }[] {
  return JSON.parse(String(cell));
}
