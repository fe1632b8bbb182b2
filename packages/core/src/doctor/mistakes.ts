/**
 * Everything that the doctor can name, as data: the answers, the guide and the tests are read off this table. A mistake is
 * described by how the client's request differs from RFC 5849, never by what the server computed.
 */
import { ADDRESS_TEXTS } from './texts/address.ts';
import { ENCODING_TEXTS } from './texts/encoding.ts';
import type { MistakeText } from './texts/mistake-text.ts';
import { PARAMETER_TEXTS } from './texts/parameters.ts';
import { REQUEST_TEXTS } from './texts/request.ts';
import { SIGNATURE_TEXTS } from './texts/signature.ts';

/** Mistakes by part of the signature, in the order in which the guide lists them. */
export const MISTAKES = {
  ...ADDRESS_TEXTS,
  ...PARAMETER_TEXTS,
  ...ENCODING_TEXTS,
  ...SIGNATURE_TEXTS,
  ...REQUEST_TEXTS,
} as const;

/** The stable id of a mistake: a key of {@link MISTAKES}. */
export type MistakeName = keyof typeof MISTAKES;

/** A mistake that was found in a request. */
export interface Finding {
  readonly mistake: MistakeName;
  readonly title: string;
  readonly hint: string;
  readonly clause?: string;
  /** What this request shows of it: which parameter, which address, which app. Never a secret. */
  readonly detail?: string;
}

/** A finding, with the texts of its mistake. */
export function finding(mistake: MistakeName, detail?: string): Finding {
  const text: MistakeText = MISTAKES[mistake];
  return { mistake, ...text, ...(detail === undefined ? {} : { detail }) };
}
