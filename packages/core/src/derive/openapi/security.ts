/** The authentication schemes of callers. */
import type { JsonSchema } from '../../wire/types.ts';

export const securitySchemes = {
  /**
   * OpenAPI's `oauth2` type is OAuth 2 alone. OAuth 1.0a is an HTTP authentication scheme of its own in the IANA registry
   * ("OAuth", RFC 5849 section 3.5.1), which type `http` can name.
   */
  oauth1: {
    type: 'http',
    scheme: 'OAuth',
    description:
      'OAuth 1.0a (RFC 5849) with HMAC-SHA1 or HMAC-SHA256. The signature covers the method, the URL, the query and a form body. The parameters go into the Authorization header, the query or the form body.',
  },
  bearer: {
    type: 'http',
    scheme: 'Bearer',
    description: 'The bearer token of an app, which POST /oauth2/token gives.',
  },
  basic: {
    type: 'http',
    scheme: 'Basic',
    description:
      'The key of the app as the user name and its secret as the password, each percent-encoded before they are joined by a colon.',
  },
  operator: {
    type: 'http',
    scheme: 'Bearer',
    description:
      'The token of the operator, which a server with a demo writes to `operator.token` in its data directory.',
  },
} as const satisfies Record<string, JsonSchema>;

/** The name of a scheme. */
export type SchemeName = keyof typeof securitySchemes;
