/** Users in the form of version 1.1. */
import { parseJson } from '@broadside/core';
import { formatTimeV1, type UserV1 } from '@broadside/core/resources/posts';
import type { UserRow } from '../store.ts';

/** The colours of all profiles: the platform has no designs of profiles. */
const colours = {
  profile_background_color: 'F5F8FA',
  profile_link_color: '1A5FB4',
  profile_sidebar_border_color: 'C0DEED',
  profile_sidebar_fill_color: 'DDEEF6',
  profile_text_color: '333333',
} as const;

/** Returns a user; without all but the ids where it is trimmed. */
export function userV1(id: bigint, row: UserRow | undefined, trimmed: boolean): UserV1 {
  const ids = { id, id_str: `${id}` };
  if (trimmed || !row) return ids;
  const picture = row.profile_image_url ?? '';
  const { followers_count, following_count, listed_count, post_count } = row.public_metrics;
  return {
    ...ids,
    name: row.name,
    screen_name: row.username,
    location: row.location ?? '',
    description: row.description,
    url: row.url ?? '',
    protected: row.protected,
    followers_count,
    friends_count: following_count,
    listed_count,
    created_at: formatTimeV1(Date.parse(row.created_at)),
    favourites_count: 0,
    utc_offset: null,
    time_zone: null,
    geo_enabled: false,
    verified: row.verified,
    statuses_count: post_count,
    lang: null,
    contributors_enabled: false,
    is_translator: false,
    is_translation_enabled: false,
    translator_type: 'none',
    ...colours,
    profile_background_image_url: '',
    profile_background_image_url_https: '',
    profile_background_tile: false,
    profile_image_url: picture,
    profile_image_url_https: picture,
    profile_banner_url: '',
    profile_use_background_image: false,
    default_profile: true,
    default_profile_image: picture === '',
    following: null,
    follow_request_sent: null,
    notifications: null,
    withheld_in_countries: withheldIn(row.withheld),
  };
}

function withheldIn(json: string | null): string[] {
  const value = json === null ? undefined : parseJson(json);
  const codes: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'country_codes') : undefined;
  return Array.isArray(codes) ? codes.map(String) : [];
}
