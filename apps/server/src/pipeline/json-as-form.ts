/** A body of JSON that says that it is a form: what libraries send where nobody sets the content type. */

/** Names the mistake. */
export const JSON_AS_FORM =
  'The body is JSON, but its Content-Type says that it is a form: send it with Content-Type: application/json';

/** Returns whether a body that says that it is a form looks like JSON. */
export function isJsonAsForm({
  contentType = '',
  body = '',
}: {
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
}): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType) && /^\s*(?:\{\s*"|\[\s*\{)/.test(body);
}
