/** `broadside posts preview`: how a post looks, as an address to open and a frame to put into a page. */
import { contract, errorCode } from '@broadside/core';
import { PostPreview, type PreviewedType, previewedTypes } from '@broadside/core/resources/post-previews';
import type { Command, Invocation } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import { Output, outputFlags } from '../output.ts';
import { openSession } from '../session.ts';

const { list } = contract.post_previews;

/** The output of the command: the frame, and the address in it by itself. */
const Printed = PostPreview.extend({ address: PostPreview.shape.preview });

/** Tried in this order when no type is given: ids of different types never meet. */
const ORDER: readonly PreviewedType[] = ['PUBLISHED', 'SCHEDULED', 'DRAFT'];

/** `broadside posts preview`. */
export const postsPreviewCommand: Command = {
  kind: 'command',
  words: ['posts', 'preview'],
  summary: 'Show how a post looks, before or after it is published',
  description:
    'Prints an address that shows the post in any browser for 24 hours, without signing in, and the same as an iframe for a page.',
  positionals: [{ name: 'id', description: 'The draft, the scheduled post or the published post.', required: true }],
  sections: [
    {
      title: 'Optional',
      flags: [
        {
          name: 'account-id',
          kind: 'text',
          hint: 'id',
          description: 'The account of the post. Default: the account of the credentials.',
        },
        {
          name: 'type',
          kind: 'text',
          hint: 'type',
          description: 'The state of the post. Found when left out.',
          values: previewedTypes,
        },
        { name: 'open', kind: 'boolean', hint: '', description: 'Open the address in the browser of the desktop.' },
      ],
    },
    outputFlags(Printed, { many: false, raw: false, json: 'post_id, preview and address' }),
    connectionFlags,
  ],
  examples: [
    { line: 'broadside posts preview 1503831318555086851 --open' },
    { line: 'broadside posts preview 1503831318555086852 --type DRAFT --json' },
  ],
  facts: [
    ['Request', `${list.http.method} ${list.http.path}`],
    ['Errors', list.errors.map(errorCode).join(', ')],
  ],
  run: preview,
};

async function preview({ io, flags, words }: Invocation): Promise<void> {
  const printed = await Output.open(io, flags, Printed);
  const [id = ''] = words;
  if (!/^[1-9]\d{0,18}$/.test(id)) throw new UsageError(`"${id}" is no id of a post: ids have up to 19 digits`);
  const given = flags.text('type');
  const types = given === undefined ? ORDER : previewedTypes.filter((type) => type === given);
  if (types.length === 0) throw new UsageError(`--type: Expected one of ${previewedTypes.join(', ')}`);
  const session = await openSession(io, flags);
  const account_id = flags.text('account-id') ?? session.account_id;
  if (account_id === undefined) throw new UsageError('--account-id is missing: the credentials have no account');
  for (const post_type of types) {
    const [found] = await session.client.post_previews.list({ account_id, post_ids: [BigInt(id)], post_type });
    if (!found) continue;
    const address = /src='([^']+)'/.exec(found.preview)?.[1] ?? '';
    await printed.one({ post_id: found.post_id, address, preview: found.preview });
    if (flags.on('open')) io.openBrowser(address);
    return;
  }
  const kind = given === undefined ? '' : ` of the type ${given}`;
  throw new CliError('notFound', `The account has no post ${id}${kind}`);
}
