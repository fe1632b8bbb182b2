/** npm `oauth-1.0a`, which makes the header only, with `fetch` to send. */
import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import type { Answer, RequestToSign, Signer } from './client.ts';

export class NpmOauth10a implements Signer {
  async send({ method, url, app, token, form, json }: RequestToSign): Promise<Answer> {
    const oauth = new OAuth({
      consumer: { key: app.consumer_key, secret: app.consumer_secret },
      signature_method: 'HMAC-SHA1',
      hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
    });
    const pair = { key: token.token, secret: token.token_secret };
    const signed = oauth.toHeader(oauth.authorize({ method, url, ...(form && { data: form }) }, pair));
    const headers = { ...signed, ...(json !== undefined && { 'Content-Type': 'application/json' }) };
    const body = form ? new URLSearchParams(form) : json;
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    return { status: answer.status, body: await answer.text() };
  }

  close(): void {}
}
