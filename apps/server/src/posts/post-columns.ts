/** The columns of posts that are read and written together. */
import { posts } from './platform-table.ts';

/** Written with every new post. */
export const newColumns = {
  id: posts.id,
  author_id: posts.author_id,
  created_ms: posts.created_ms,
  text: posts.text,
  lang: posts.lang,
  source: posts.source,
  conversation_id: posts.conversation_id,
  in_reply_to_user_id: posts.in_reply_to_user_id,
  replied_to_id: posts.replied_to_id,
  quoted_id: posts.quoted_id,
  reposted_id: posts.reposted_id,
  possibly_sensitive: posts.possibly_sensitive,
  reply_settings: posts.reply_settings,
  entities: posts.entities,
  media_keys: posts.media_keys,
};

/** All that a post itself says. */
export const ownColumns = {
  ...newColumns,
  context_annotations: posts.context_annotations,
  place: posts.place,
  coordinates: posts.coordinates,
  withheld: posts.withheld,
};

/** Members that the advertising interface adds to a post. */
export const advertiserColumns = {
  nullcast: posts.nullcast,
  name: posts.name,
  card_uri: posts.card_uri,
  card_type: posts.card_type,
  card_account: posts.card_account,
  contributor_id: posts.contributor_id,
  video_title: posts.video_title,
  video_description: posts.video_description,
  video_cta: posts.video_cta,
  video_cta_value: posts.video_cta_value,
};

/** Counts of how a post was received, for everybody. */
export const publicCounts = {
  repost_count: posts.repost_count,
  reply_count: posts.reply_count,
  like_count: posts.like_count,
  quote_count: posts.quote_count,
};

/** Counts of how it was received, for the author only. */
export const ownCounts = {
  impression_count: posts.impression_count,
  url_link_clicks: posts.url_link_clicks,
  user_profile_clicks: posts.user_profile_clicks,
};
