/** The pages of the three-legged flow in a document. */
import { pageContract } from '../../families.ts';
import { fieldsOf } from '../../operation/fields.ts';
import type { PageOperation } from '../../operation/operation.ts';
import { exampleParams } from '../example.ts';
import type { Family } from './family.ts';
import { queryParameter } from './parameters.ts';
import type { AnswerHeader } from './rate-limit-headers.ts';

/** Describes the pages. */
export const oauthPages: Family<PageOperation> = {
  security: () => [],
  notes: () => ['The forms of the page are sent back to the same path. Open it in a browser; no program calls it.'],
  parameters: (page) => fieldsOf(page.params).map((field) => queryParameter(field, exampleParams(page))),
  body: () => undefined,
  responses: (page, components) => {
    const answer = (description: string, headers: readonly AnswerHeader[] = []) => ({
      description,
      ...components.headers(headers),
      content: { 'text/html': { schema: { type: 'string' } } },
    });
    return {
      200: answer('The page: it asks for name and password, or for the decision.'),
      ...(canRedirect(page)
        ? { 303: { ...redirect, headers: { ...redirect.headers, ...components.headers([]).headers } } }
        : {}),
      400: answer('A page that says which parameter is missing or malformed.'),
      403: answer(
        'A page that says that the request token is unknown, was used or is too old, that the app is suspended, or that the page needs HTTPS.',
      ),
      429: answer('A page that says that it was opened too often from this address.', [{ name: 'retry-after' }]),
      500: answer('A page that says that the server failed.'),
      503: answer('A page that says that nothing can be stored at the moment.', [{ name: 'retry-after' }]),
    };
  },
  extensions: () => ({}),
};

/** Only authenticate redirects people who approved before (specification A, GET /oauth/authenticate). */
function canRedirect({ id }: PageOperation): boolean {
  return id === pageContract.oauth_pages.authenticate.id;
}

const redirect = {
  description: 'The person approved the app before: to the callback, with `oauth_token` and `oauth_verifier`.',
  headers: {
    location: { description: 'The callback URL, extended.', required: true, schema: { type: 'string' } },
  },
} as const;
