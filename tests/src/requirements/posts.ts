/** Specification A, data retrieval: posts, users and media as version 2 returns them. Specification B: posts of advertisers. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, store, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'A-POST-MINIMAL': {
    clause: 'A Post (v2); A User (v2); A Media (v2); R data-retrieval 3',
    text: 'without field parameters an object has its default fields only',
    on: 'every adapter',
  },
  'A-POST-FIELDS': {
    clause: 'A Post (v2), post.fields; R data-retrieval 4',
    text: 'each field of a post is returned when it is named, with its type and shape, and only then',
    on: 'every adapter',
  },
  'A-USER-FIELDS': {
    clause: 'A User (v2); R data-retrieval 7',
    text: 'each field of a user is returned when it is named in user.fields, and only then',
    on: 'every adapter',
  },
  'A-MEDIA-FIELDS': {
    clause: 'A Media (v2); R data-retrieval 6',
    text: 'each field of media is returned when it is named in media.fields, and only then',
    on: 'every adapter',
  },
  'A-POST-LATER-FIELDS': {
    clause: 'R data-retrieval 4 and 7',
    text: 'fields of later versions are accepted, and nothing comes of them',
    on: 'every adapter',
  },
  'A-POST-EXPANSIONS': {
    clause: 'A includes; R data-retrieval 5',
    text: 'each expansion fills what it names and adds the member that leads there',
    on: 'every adapter',
  },
  'A-POST-INCLUDES': {
    clause: 'A includes; R data-retrieval 2',
    text: 'an included object stands once; a list that would be empty is absent, and so is includes',
    on: 'every adapter',
  },
  'A-POST-ORDER': {
    clause: 'R data-retrieval 2',
    text: 'posts come in the order of their ids, one whose id is repeated once',
    on: 'every adapter',
  },
  'A-POST-MISSING': {
    clause: 'R conventions 8; R data-retrieval 12',
    text: 'an unknown or deleted post is a problem beside what was found, also where another post refers to it',
    on: 'every adapter',
  },
  'A-POST-NONE': {
    clause: 'R conventions 8; R data-retrieval 12',
    text: 'where nothing was found the answer is 200 with errors only',
    on: 'every adapter',
  },
  'A-POST-PROTECTED': {
    clause: 'R data-retrieval 12; 4 what must work',
    text: 'posts of a protected author are seen by approved followers and the author only',
    on: 'every adapter',
  },
  'A-POST-MEDIA-LINK': {
    clause: 'R data-retrieval 10 and 11',
    text: 'a post with media ends with a short link to it, which stands in entities.urls with the media key',
    on: 'every adapter',
  },
  'A-POST-MEDIA-LINK-LEADS': {
    clause: 'R data-retrieval 11; 4 what must work',
    text: 'the short link of a post with media leads to its page, that of media to their bytes, and any other nowhere',
    on: wire,
  },
  'A-MEDIA-STILL': {
    clause: 'R data-retrieval 6, preview_image_url',
    text: 'videos and animated GIFs have a still of their size, which is an image that is there',
    on: wire,
  },
  'A-POST-REPOST-TEXT': {
    clause: 'R data-retrieval 11',
    text: 'the text of a repost begins with RT @name:, also where the original shows media',
    on: 'every adapter',
  },
  'A-POST-PROTECTED-UNSEEN': {
    clause: '4 what must work; R data-retrieval 12',
    text: 'nobody answers or likes a post that they may not see, and nobody else quotes or reposts a protected one',
    on: store,
  },
  'A-POST-PROTECTED-REPOST': {
    clause: 'R data-retrieval 2 and 12',
    text: 'a repost is hidden once its author or that of the original is protected, also where another post refers to it',
    on: 'every adapter',
  },
  'A-POST-OWN-METRICS': {
    clause: 'R data-retrieval 2 and 4',
    text: 'private metrics are for the author; others get a problem of the field',
    on: 'every adapter',
  },
  'A-POST-REFUSED': {
    clause: 'R conventions 8; R data-retrieval 2',
    text: 'a parameter that is missing, malformed, too long or unknown is refused in words of its own',
    on: 'every adapter',
  },
  'A-POST-REFUSED-BODY': {
    clause: 'R conventions 8',
    text: 'a refused request is an invalid-request problem that names parameters and values',
    on: wire,
  },
  'A-POST-BEARER': {
    clause: 'A GET /2/posts; A Authentication 2; A States',
    text: 'the bearer token of an app opens data retrieval until it is invalidated',
    on: wire,
  },
  'A-POST-OAUTH': {
    clause: 'R data-retrieval 2; A Errors, 89',
    text: 'a signature of a user opens data retrieval until the token is revoked, then it is 401 with code 89',
    on: wire,
  },
  'A-POST-UNAUTHORIZED': { clause: 'R conventions 8', text: 'no or bad credentials are a 401 problem', on: wire },
  'A-POST-SUSPENDED': {
    clause: 'R conventions 8',
    text: 'a suspended app is a 403 problem of the slug client-forbidden',
    on: wire,
  },
  'A-POST-RATE': {
    clause: 'R conventions 9',
    text: 'an app has 3,500 and a user 5,000 requests in 15 minutes, then it is a 429 problem',
    on: wire,
  },
  'A-POST-METHOD': {
    clause: 'R conventions 8',
    text: 'other methods are a 405 problem that names the right one',
    on: wire,
  },
  'B-POST-CREATE': {
    clause: 'B Posts, POST; R creatives 10',
    text: 'a post is made in the name of a user, and returned as the object of version 1.1 with its ids as numbers and as text',
    on: 'every adapter',
  },
  'B-POST-ECHO': {
    clause: 'B Posts; R conventions 1 and 2',
    text: 'ids are exact numbers in the answer and the echo, but for the strings of the list; a single post has no cursor',
    on: wire,
  },
  'B-POST-TEXT': {
    clause: 'B Posts, POST, text; R creatives 10',
    text: 'a text is needed without media, is not blank, and has up to 280 in weighted length',
    on: 'every adapter',
  },
  'B-POST-ENTITIES': {
    clause: 'R creatives 10, Entity',
    text: 'links, mentions of people, hashtags and cashtags have indices that cut them out of the text',
    on: 'every adapter',
  },
  'B-POST-MODE': {
    clause: 'B Posts, POST, tweet_mode; R creatives 10',
    text: 'compat returns text, cut when it is long, extended returns full_text with its range',
    on: 'every adapter',
  },
  'B-POST-TRIM': {
    clause: 'B Posts, trim_user; R creatives 10',
    text: 'trim_user leaves only the ids in the user object',
    on: 'every adapter',
  },
  'B-POST-MEDIA': {
    clause: 'B Posts, POST, media_keys; B Limits',
    text: 'a post shows up to 4 images, or 1 GIF, or 1 video, and no other media',
    on: 'every adapter',
  },
  'B-POST-MEDIA-ENTITIES': {
    clause: 'R creatives 10, Entity',
    text: 'media stand in the entities with their sizes and the link that ends the text',
    on: 'every adapter',
  },
  'B-POST-MEDIA-LIBRARY': {
    clause: 'R creatives 10; 13 what must work',
    text: 'posting media adds them to the library, and media of the library can be posted',
    on: 'every adapter',
  },
  'B-POST-MEDIA-OTHERS': {
    clause: 'B Posts; 13 proof',
    text: 'media of another account, or of nobody here, are not posted',
    on: 'every adapter',
  },
  'B-POST-CARD': {
    clause: 'B Cards; B Posts, POST, card_uri',
    text: 'a post shows a card of the account, which lists and the answer name',
    on: 'every adapter',
  },
  'B-POST-CARD-OTHERS': {
    clause: '13 what must work',
    text: 'a card of another account, a deleted one and an unknown one are rejected alike',
    on: 'every adapter',
  },
  'B-POST-CARD-MEDIA': {
    clause: 'B Posts, POST',
    text: 'a post shows a card or media, not both',
    on: 'every adapter',
  },
  'B-POST-CONVERSATION': {
    clause: 'B Posts, POST, conversation_settings',
    text: 'who may reply is set, and returned by lists only',
    on: 'every adapter',
  },
  'B-POST-NAME': {
    clause: 'B Posts, POST, name; B Limits',
    text: 'a post has a name of up to 80 characters',
    on: 'every adapter',
  },
  'B-POST-NULLCAST': {
    clause: 'B Posts, POST, nullcast',
    text: 'a post is promoted only unless it says otherwise, and then is in no timeline',
    on: 'every adapter',
  },
  'B-POST-ORGANIC': {
    clause: 'B Posts, POST, nullcast; R creatives 10',
    text: 'in public posts only the authenticated user',
    on: 'every adapter',
  },
  'B-POST-AS': {
    clause: 'B Posts, POST, as_user_id; R creatives 10',
    text: 'a user whom the account does not promote is rejected',
    on: 'every adapter',
  },
  'B-POST-COMPOSER': {
    clause: 'B Posts',
    text: 'whoever is not the FULL user needs POST_COMPOSER',
    on: 'every adapter',
  },
  'B-POST-VIDEO': {
    clause: 'B Posts, POST, video_cta, video_title',
    text: 'a video has a title, a description and a call to action with its address, and nothing else has',
    on: 'every adapter',
  },
  'B-POST-DUPLICATE': {
    clause: 'R creatives 10',
    text: 'the same post twice in a row is rejected',
    on: 'every adapter',
  },
  'B-POST-READABLE': {
    clause: '13 what must work',
    text: 'what is posted is at once readable at GET /2/posts',
    on: 'every adapter',
  },
  'B-POST-PROMOTED': {
    clause: 'B Posts; 13 what must work',
    text: 'what is posted can be promoted, whether in public or not',
    on: 'every adapter',
  },
  'B-POST-LIST': {
    clause: 'B Posts, GET; R creatives 10',
    text: 'a list returns each post with full_text, nullcast, post_type and conversation_settings',
    on: 'every adapter',
  },
  'B-POST-LIST-TYPES': {
    clause: 'B Posts, GET, post_type',
    text: 'drafts, scheduled and published posts are listed in the same shape',
    on: 'every adapter',
  },
  'B-POST-LIST-TIMELINE': {
    clause: 'B Posts, GET, timeline_type',
    text: 'a list has promoted-only posts, those in public, or both',
    on: 'every adapter',
  },
  'B-POST-LIST-MENTIONS': {
    clause: 'B Posts, GET, include_mentions_and_replies; R creatives 10',
    text: 'mentions and replies are left out unless they are asked for',
    on: 'every adapter',
  },
  'B-POST-LIST-NAME': {
    clause: 'B Posts, GET, name',
    text: 'a list is filtered by the beginning of names, in any case',
    on: 'every adapter',
  },
  'B-POST-LIST-IDS': {
    clause: 'B Posts, GET, post_ids',
    text: 'a list is filtered by up to 200 ids; those of another type are left out',
    on: 'every adapter',
  },
  'B-POST-LIST-USER': {
    clause: 'B Posts, GET, user_id',
    text: 'a list is of the FULL user or of any other promotable user, and of nobody else',
    on: 'every adapter',
  },
  'B-POST-LIST-PAGES': {
    clause: 'B Posts, GET, count and cursor',
    text: 'a list is read page by page, the newest first, 1 to 1000 at a time',
    on: 'every adapter',
  },
  'B-POST-LIST-GONE': {
    clause: 'B Posts, GET; 5 what must work',
    text: 'deleted posts are not listed, and protected ones of others only to their followers',
    on: 'every adapter',
  },
  'B-POST-RENAME': {
    clause: 'B Posts, PUT name; R creatives 10',
    text: 'a post gets a name, another one, and none; the answer is that of the list',
    on: 'every adapter',
  },
  'B-POST-RENAME-OTHERS': {
    clause: 'B Posts, PUT name; 13 proof',
    text: 'posts of others, deleted ones and unknown ones have no name here',
    on: 'every adapter',
  },
  'B-POST-LINKS': {
    clause: '13 what must work, Previews and pages',
    text: 'the short link of a post with media leads to its page, and to nothing once it is deleted or protected',
    on: wire,
  },
};

export const operations: OperationRows = {
  'posts.list': {
    route: 'GET /12/accounts/:account_id/posts',
    required: 'post_type',
    optional: 'count cursor include_mentions_and_replies name timeline_type trim_user post_ids user_id',
    capability: 'creatives.read',
  },
  'posts.create': {
    route: 'POST /12/accounts/:account_id/post',
    required: 'as_user_id',
    optional:
      'text card_uri conversation_settings media_keys name nullcast trim_user post_mode video_cta video_cta_value video_description video_title',
    capability: 'creatives.write',
  },
  'posts.rename': {
    route: 'PUT /12/accounts/:account_id/posts/:post_id/name',
    optional: 'name',
    capability: 'creatives.write',
  },
  'posts.lookup': {
    route: 'GET /2/posts',
    required: 'ids',
    optional: 'post.fields expansions media.fields user.fields poll.fields place.fields',
  },
};
