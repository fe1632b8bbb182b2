/** Requirements on every answer, whatever it answers. */
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'A-HEAD': {
    clause: 'RFC 9110 9.3.2',
    text: 'HEAD is answered wherever GET is, with the same status and headers, without a body, and counts as much',
    on: wire,
  },
  'A-HEAD-HARMLESS': { clause: 'RFC 9110 9.3.2', text: 'HEAD of a page changes nothing', on: wire },
  'A-CORS': {
    clause: 'our choice',
    text: 'pages of configured origins read what takes a signature or a token, with limits and id, and without cookies',
    on: wire,
  },
  'A-CORS-PREFLIGHT': {
    clause: 'our choice',
    text: 'preflights of such pages are answered without authentication, with the methods of the path',
    on: wire,
  },
  'A-CORS-CLOSED': { clause: 'our choice', text: 'no page reads pages for people, or procedures', on: wire },
  'A-CORS-SETTING': {
    clause: 'our choice',
    text: 'by default pages of this machine may call in development mode, and none in production',
    on: wire,
  },
  'A-MISTAKES-REQUESTS': {
    clause: 'our choice',
    text: 'each of more than 54 mistakes in requests and signatures is answered with a sentence that says what is wrong',
    on: wire,
  },
  'A-MISTAKES-SETTINGS': {
    clause: 'our choice',
    text: 'each of more than 50 mistakes in settings, seed files and commands is answered with a sentence that says what is wrong',
    on: wire,
  },
  'A-NEAREST-ROUTE': {
    clause: 'our choice',
    text: 'a path without a route is answered with the route, version and listener that are nearest to it',
    on: wire,
  },
  'A-OTHER-ENVIRONMENT': {
    clause: 'our choice',
    text: 'an account of the other environment is named as that to those who may read it there, and to nobody else',
    on: wire,
  },
  'A-PAGES-OF-LISTENERS': {
    clause: 'our choice',
    text: 'a browser at the root of a listener or at a path of nothing sees a page with links, a program JSON',
    on: wire,
  },
  'A-RETRY-AFTER': {
    clause: 'R conventions 9',
    text: 'a 429 says in retry-after how many seconds are left of the window that its reset header names',
    on: wire,
  },
  'A-RATE-DEVELOPMENT': {
    clause: 'our choice',
    text: 'in development mode lookups can be listed again and again, by default; all other figures are the published ones',
    on: wire,
  },
  'A-REQUEST-ID': {
    clause: 'our choice',
    text: 'every answer has an id of its own, which is in its line of the log with user, app and account',
    on: wire,
  },
  'A-REQUEST-ID-SENT': {
    clause: 'our choice',
    text: 'an id that comes with a request is logged if it is short and plain, and never answered',
    on: wire,
  },
};
