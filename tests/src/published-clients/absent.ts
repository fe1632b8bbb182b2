/** Functions of clients that the server does not have, or that the client itself cannot do, with the reason. All others are driven. */

/** Names of what is absent, and why. */
export interface Absence {
  readonly names: RegExp;
  readonly reason: string;
}

const plumbing = 'Reads and writes entities; every step uses it.';
const unspecified = 'No part of the specification.';

/** The advertising SDK in Python. */
const twitterAds: readonly Absence[] = [
  { names: /\.(from_response|to_params)$/, reason: plumbing },
  {
    names:
      /^(AppList|LineItemApps|TrackingTags|ScheduledPromotedTweet|UserSettings|TaxSettings|UserIdLookup)\.(?!from_|to_)/,
    reason: unspecified,
  },
  { names: /^Account\.(app_lists|tracking_tags|scheduled_promoted_tweets)$/, reason: unspecified },
  { names: /^Analytics\.(all|load|reload)$/, reason: unspecified },
  {
    names: /\.(stats|all_stats|queue_async_stats_job|async_stats_job_result|async_stats_job_data|active_entities)$/,
    reason: `Statistics: ${unspecified}`,
  },
  { names: /^TargetingCriteria\.(behaviors|behavior_taxonomies)$/, reason: unspecified },
  { names: /^Account\.reload$/, reason: 'Asks the account for its account, of which there is none: fails in the SDK.' },
  { names: /^(Card|CardsFetch)\.reload$/, reason: 'Loads without an id: fails in the SDK.' },
  { names: /^CardsFetch\.all$/, reason: 'Fails by design in the SDK.' },
  {
    names: /^PromotedTweet\.(save|create)$/,
    reason: 'Deprecated for attach; fails in the SDK before or after its request.',
  },
  {
    names: /^CustomAudiencePermission\.(load|reload)$/,
    reason: 'Leaves the audience out of the address: fails in the SDK.',
  },
  {
    names:
      /^(AdvertiserBusinessCategories|ContentCategories|IabCategories|LineItemPlacements|CustomAudienceTargeted)\.(load|reload)$/,
    reason: 'One of them has no address.',
  },
  { names: /^TweetPreview\.(all|reload)$/, reason: 'The request of load.' },
  {
    names: /^AudienceEstimate\.(all|create|delete|save|reload)$/,
    reason: 'An estimate is asked for; it is not stored.',
  },
  { names: /^FundingInstrument\.save$/, reason: 'Funding instruments do not change.' },
  { names: /^AccountMedia\.(create|save)$/, reason: 'Account media come of the media library.' },
  { names: /^MediaLibrary\.save$/, reason: 'The SDK has add and update in its place.' },
];

/** tweepy. */
const tweepy: readonly Absence[] = [
  {
    names: /^API\.(?!media_upload$|simple_upload$|chunked_upload|get_media_upload_status$|request$)/,
    reason: `Version 1.1 of the service, uploads and log-in aside: ${unspecified}`,
  },
  {
    names: /^Client\.(?!get_tweets$|request$)/,
    reason: `Of version 2, posts are looked up by ids; the rest is ${unspecified.toLowerCase()}`,
  },
  { names: /^OAuth2UserHandler\./, reason: `OAuth 2.0 of persons: ${unspecified}` },
  { names: /^OAuth1UserHandler\.set_access_token$/, reason: 'Sends nothing.' },
];

/** twitter-api-v2. */
const twitterApiV2: readonly Absence[] = [
  {
    names:
      /^v1\.(?!uploadMedia$|mediaInfo$|getUploadMediaRequirements$|mediaChunkedUpload$|awaitForMediaProcessingCompletion$)/,
    reason: `Version 1.1 of the service, uploads aside: ${unspecified}`,
  },
  {
    names: /^v2\.(?!tweets$|uploadMedia$|waitForMediaProcessing$|get$|post$)/,
    reason: `Of version 2, posts are looked up by ids; the rest is ${unspecified.toLowerCase()}`,
  },
  {
    names: /^client\.(?!generateAuthLink$|login$|appLogin$|readOnly$)/,
    reason: 'Calls of the parts below, or OAuth 2.0 of persons, which is no part of the specification.',
  },
  {
    names: /^(ads|adsSandbox)\.(?!get$|post$|put$|delete$)/,
    reason: 'Settings of the client; its advertising part has general calls only.',
  },
  { names: /^ads\.(post|put|delete)$/, reason: 'Driven on the sandbox.' },
];

/** By client. */
export const absences: Readonly<Record<string, readonly Absence[]>> = {
  'twitter-ads': twitterAds,
  tweepy,
  'twitter-api-v2': twitterApiV2,
  go: [],
};
