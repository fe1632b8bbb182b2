/** Texts of mistakes in the selection of signed parameters. */
import { NORMALIZATION, SOURCES } from './clauses.ts';
import type { MistakeText } from './mistake-text.ts';

export const PARAMETER_TEXTS = {
  query_left_out: {
    title: 'The parameters of the query string were not signed',
    hint: 'Give the signer the query parameters too, also for POST and PUT.',
    clause: SOURCES,
  },
  form_left_out: {
    title: 'The parameters of the form body were not signed',
    hint: 'Give the signer the parameters of the form body, or send a JSON body, which is not signed.',
    clause: SOURCES,
  },
  json_body_signed: {
    title: 'A JSON body was signed as if it were parameters',
    hint: 'Sign only the query and the oauth_ parameters when the body is JSON.',
    clause: SOURCES,
  },
  multipart_fields_signed: {
    title: 'Fields of a multipart body were signed',
    hint: 'Sign only the query and the oauth_ parameters when the body is multipart/form-data.',
    clause: SOURCES,
  },
  content_type_not_form: {
    title: 'A form body was signed but not declared as one',
    hint: 'Send Content-Type: application/x-www-form-urlencoded with the body.',
    clause: SOURCES,
  },
  oauth_parameter_left_out: {
    title: 'A protocol parameter was sent but not signed',
    hint: 'Sign every oauth_ parameter that is sent, except oauth_signature.',
    clause: SOURCES,
  },
  oauth_parameter_not_sent: {
    title: 'A protocol parameter was signed but not sent',
    hint: 'Send every oauth_ parameter that you sign, or leave it out of both.',
    clause: SOURCES,
  },
  signature_included: {
    title: 'oauth_signature was part of what was signed',
    hint: 'Build the base string before oauth_signature is added, and leave it out also when it is empty.',
    clause: SOURCES,
  },
  realm_included: {
    title: 'realm was signed as if it were a parameter',
    hint: 'Leave realm of the Authorization header out of the base string.',
    clause: SOURCES,
  },
  empty_parameters: {
    title: 'Parameters without a value were left out, or signed without their equals sign',
    hint: 'Sign an empty parameter as name=, with nothing after the equals sign.',
    clause: NORMALIZATION,
  },
  duplicate_parameters: {
    title: 'A name that comes more than once was signed once, or its values joined',
    hint: 'Sign each pair of a repeated name on its own: a map or dictionary of parameters loses them. Most operations here want one comma-separated value.',
    clause: NORMALIZATION,
  },
} as const satisfies Record<string, MistakeText>;
