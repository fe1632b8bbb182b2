import { account_id } from '../../operation/list.ts';
import { defineAccountRead } from '../../operation/on-account.ts';
import { object } from '../../wire/object.ts';
import { list, long, oneOf } from '../../wire/types.ts';
import { PostPreview, previewedTypes } from './entity.ts';

/** Maximum number of posts in one call (specification B, Limits). */
const MAX_POSTS = 200;

export const operations = {
  list: defineAccountRead('post_previews.list', '/12/accounts/:account_id/post_previews', {
    summary: 'Get frames that show how posts look',
    description:
      'Previews come in the order of `post_ids`. Posts that the account does not have, or of another `post_type`, are left out; published ones are those of its promotable users. Any page may frame a preview, unless the app of the caller lists the sites that may.',
    capability: 'creatives.read',
    envelope: 'values',
    params: object(() => ({
      account_id,
      post_ids: list(long({ min: 1n }), { max: MAX_POSTS }).describe(`The posts: up to ${MAX_POSTS} ids.`),
      post_type: oneOf(previewedTypes).describe('The state that all of the posts are in.'),
    })),
    data: PostPreview,
    example: {
      params: { post_ids: [1_503_831_318_555_086_851n], post_type: 'PUBLISHED' },
      data: {
        post_id: '1503831318555086851',
        preview:
          "<iframe class='post-preview' src='http://127.0.0.1:8080/previews?data=WyJQVUJMSVNIRUQiXQ.c2lnbmF0dXJl' title='Preview of post 1503831318555086851' width='550' height='640' loading='lazy' sandbox='allow-popups allow-popups-to-escape-sandbox' allow='fullscreen' referrerpolicy='no-referrer'></iframe>",
      },
    },
  }),
};

export const position = 84;
