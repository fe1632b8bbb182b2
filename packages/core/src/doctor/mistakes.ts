/**
 * All findings of the doctor, as data: the responses, the guide and the tests are derived from this table. A mistake is
 * described by the difference of the client's request from RFC 5849, never by the server's result.
 */
import { ADDRESS_TEXTS } from './texts/address.ts';
import { ENCODING_TEXTS } from './texts/encoding.ts';
import type { MistakeText } from './texts/mistake-text.ts';
import { PARAMETER_TEXTS } from './texts/parameters.ts';
import { REQUEST_TEXTS } from './texts/request.ts';
import { SIGNATURE_TEXTS } from './texts/signature.ts';

/** Mistakes by part of the signature, in the order in which the guide lists them. */
export const MISTAKES: typeof ADDRESS_TEXTS &
  typeof PARAMETER_TEXTS &
  typeof ENCODING_TEXTS &
  typeof SIGNATURE_TEXTS &
  typeof REQUEST_TEXTS = {
  ...ADDRESS_TEXTS,
  ...PARAMETER_TEXTS,
  ...ENCODING_TEXTS,
  ...SIGNATURE_TEXTS,
  ...REQUEST_TEXTS,
};

/** The stable id of a mistake: a key of {@link MISTAKES}. */
export type MistakeName = keyof typeof MISTAKES;

/** A mistake that was found in a request. */
export interface Finding {
  readonly mistake: MistakeName;
  readonly title: string;
  readonly hint: string;
  readonly clause?: string;
  /** Its evidence in this request: the parameter, the address or the app. Never a secret. */
  readonly detail?: string;
}

/** Creates a finding, with the texts of its mistake. */
export function finding(mistake: MistakeName, detail?: string): Finding {
  const text: MistakeText = MISTAKES[mistake];
  return { mistake, ...text, ...(detail === undefined ? {} : { detail }) };
}
