/** Specification A, authentication: the endpoints, the pages, the three-legged flow and bearer tokens. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'A-HTTPS': { clause: 'A Authentication 1', text: 'every authorization step needs HTTPS', on: wire },
  'A-REQUEST-TOKEN': {
    clause: 'A POST request_token; A Credential responses; A States',
    text: 'a request token comes form-encoded, with its secret and oauth_callback_confirmed=true',
    on: wire,
  },
  'A-REQUEST-TOKEN-SIGNED': {
    clause: 'A POST request_token',
    text: 'a request token is asked for with a signature of the app alone, by HMAC-SHA1, version 1.0',
    on: wire,
  },
  'A-REQUEST-TOKEN-NONCE': { clause: 'A POST request_token', text: 'oauth_nonce has ASCII values only', on: wire },
  'A-REQUEST-TOKEN-FRESH': { clause: 'A States', text: 'each request token is another one', on: wire },
  'A-CALLBACK-REQUIRED': {
    clause: 'A POST request_token, oauth_callback',
    text: 'the callback is sent always, whatever is registered',
    on: wire,
  },
  'A-CALLBACK-REGISTERED': {
    clause: 'A POST request_token, oauth_callback; A Authentication 1',
    text: 'the callback is among those in the settings of the app, or the answer is 403 with code 415',
    on: wire,
  },
  'A-CALLBACK-SCHEME': {
    clause: 'A POST request_token, oauth_callback',
    text: 'custom schemes of desktop and mobile apps are allowed',
    on: wire,
  },
  'A-CALLBACK-PLACES': {
    clause: 'R auth 3',
    text: 'the callback comes in the header, the query or a form',
    on: wire,
  },
  'A-CALLBACK-OOB': {
    clause: 'A POST request_token, oauth_callback',
    text: 'oob selects the PIN mode, for apps that may use it',
    on: wire,
  },
  'A-ACCESS-TYPE': {
    clause: 'A POST request_token, platform_auth_access_type',
    text: 'an app for reading and writing can ask for reading only; nobody can ask for more than the app may',
    on: wire,
  },
  'A-ACCESS-TYPE-VALUES': {
    clause: 'A POST request_token, platform_auth_access_type',
    text: 'the type of access is read or write',
    on: wire,
  },
  'A-AUTHORIZE-CALLBACK': {
    clause: 'A GET authorize; A States; R auth 3',
    text: 'approval leads to the callback with oauth_token and oauth_verifier, its own query kept',
    on: wire,
  },
  'A-AUTHORIZE-PIN': { clause: 'A States; R auth 3', text: 'approval with oob shows a PIN of 7 digits', on: wire },
  'A-AUTHORIZE-DENIED': { clause: 'R auth 3', text: 'cancelling leads to the callback with denied alone', on: wire },
  'A-AUTHORIZE-SIGN-IN': {
    clause: 'A GET authorize',
    text: 'who is not signed in signs in first, and is then asked',
    on: wire,
  },
  'A-AUTHORIZE-ASKS': { clause: 'R auth 3', text: 'authorize asks always, repeated approval included', on: wire },
  'A-AUTHORIZE-NO-CALLBACK': {
    clause: 'A GET authorize',
    text: 'oauth_callback is never sent to the page, and has no effect there',
    on: wire,
  },
  'A-AUTHORIZE-TOKEN': {
    clause: 'A GET authorize; R auth 3',
    text: 'without a request token that waits for a decision there is an error page',
    on: wire,
  },
  'A-FORCE-LOGIN': {
    clause: 'A GET authorize and authenticate, force_login',
    text: 'force_login makes a person who is signed in type name and password, and its absence does not',
    on: wire,
  },
  'A-SCREEN-NAME': {
    clause: 'A GET authorize and authenticate, screen_name',
    text: 'screen_name fills in the name',
    on: wire,
  },
  'A-AUTHENTICATE-REPEAT': {
    clause: 'A GET authenticate',
    text: 'who has granted the app permission before is sent on without being asked again',
    on: wire,
  },
  'A-AUTHENTICATE-HEAD': {
    clause: 'RFC 9110 9.3.2',
    text: 'HEAD of the pages that ask approves nothing, also for who has granted the app permission before',
    on: wire,
  },
  'A-AUTHENTICATE-FIRST': { clause: 'A GET authenticate', text: 'who has not is asked', on: wire },
  'A-AUTHENTICATE-SETTING': {
    clause: 'A GET authenticate',
    text: 'without the sign-in setting everybody is asked again',
    on: wire,
  },
  'A-AUTHENTICATE-USER': {
    clause: 'A GET authenticate',
    text: 'the person who is signed in is the one who signs in to the app',
    on: wire,
  },
  'A-ACCESS-TOKEN': {
    clause: 'A POST access_token; A Credential responses; A States',
    text: 'the exchange gives token, secret, user_id and screen_name of who approved, form-encoded',
    on: wire,
  },
  'A-ACCESS-TOKEN-PLACES': {
    clause: 'A POST access_token; R auth 1',
    text: 'oauth_verifier comes in the query, the header or a form',
    on: wire,
  },
  'A-ACCESS-TOKEN-TOKEN': {
    clause: 'A POST access_token, oauth_token',
    text: 'oauth_token is required and is the token of the first step',
    on: wire,
  },
  'A-ACCESS-TOKEN-VERIFIER': {
    clause: 'A POST access_token, oauth_verifier',
    text: 'oauth_verifier is required and is the one of the callback or the PIN',
    on: wire,
  },
  'A-ACCESS-TOKEN-APPROVED': { clause: 'A States', text: 'a token that nobody has approved gives nothing', on: wire },
  'A-ACCESS-TOKEN-ONCE': { clause: 'R auth 3', text: 'a request token is exchanged once', on: wire },
  'A-REQUEST-TOKEN-EXPIRES': { clause: 'R auth 3', text: 'a request token lives for 15 minutes', on: wire },
  'A-ACCESS-TOKEN-SAME': {
    clause: 'R auth 3',
    text: 'repeated approval gives the same access token for as long as it is valid',
    on: wire,
  },
  'A-ACCESS-TOKEN-LASTS': { clause: 'R auth 3', text: 'an access token does not expire', on: wire },
  'A-APP-SUSPENDED': { clause: 'R auth 3', text: 'a suspended app gets nothing: 403 with code 416', on: wire },
  'A-INVALIDATE': {
    clause: 'A POST 1.1/oauth/invalidate_token; A States',
    text: 'an access token revokes itself and is told back; afterwards it is refused with 401 and code 89',
    on: wire,
  },
  'A-INVALIDATE-PATH': { clause: 'R auth 4', text: 'the path may end in .json', on: wire },
  'A-INVALIDATE-ANEW': { clause: 'A States', text: 'a new token after that is a different one', on: wire },
  'A-BEARER': {
    clause: 'A POST oauth2/token; A Credential responses',
    text: 'key and secret by HTTP Basic give {token_type: bearer, access_token}',
    on: wire,
  },
  'A-BEARER-ENCODED': {
    clause: 'R auth 5',
    text: 'key and secret are percent-encoded before they are joined',
    on: wire,
  },
  'A-BEARER-GRANT': {
    clause: 'A POST oauth2/token, grant_type',
    text: 'grant_type is required and is client_credentials, or the answer is 403 with code 99',
    on: wire,
  },
  'A-BEARER-ONE': {
    clause: 'A POST oauth2/token; A States; A Limits',
    text: 'an app has one bearer token, the same at each call until it is invalidated',
    on: wire,
  },
  'A-BEARER-REFUSED': { clause: 'R auth 5', text: 'wrong keys get 403 with code 99 and its label', on: wire },
  'A-BEARER-FREQUENT': {
    clause: 'A Errors; A POST oauth2/token',
    text: 'calls that come too often get 403 with code 99',
    on: wire,
  },
  'A-BEARER-INVALIDATE': {
    clause: 'A POST oauth2/invalidate_token; A Authentication 3; A States',
    text: 'the app owner’s access token invalidates the bearer token; the next one is different',
    on: wire,
  },
  'A-BEARER-INVALIDATE-OWNER': {
    clause: 'A States',
    text: 'the access token of anybody else does not invalidate the bearer token',
    on: wire,
  },
  'A-BEARER-INVALIDATE-BASIC': {
    clause: 'R auth 4',
    text: 'HTTP Basic with a form invalidates the bearer token too',
    on: wire,
  },
  'A-BEARER-INVALIDATE-TOKEN': {
    clause: 'A POST oauth2/invalidate_token, access_token',
    text: 'access_token is required and is the valid one of the app',
    on: wire,
  },
  'A-AUTH-ERRORS': {
    clause: 'A Errors; R auth 6',
    text: 'errors of the endpoints of authentication are {errors: [{code, message}]} with numbers for codes',
    on: wire,
  },
  'A-AUTH-RATE': {
    clause: 'A Limits',
    text: 'the endpoints of authentication are rate limited, each for itself',
    on: wire,
  },
  'A-AUTH-METHOD': { clause: 'A Authentication endpoints', text: 'the endpoints take POST, the pages GET', on: wire },
};

export const operations: OperationRows = {
  'oauth.request_token': {
    route: 'POST /oauth/request_token',
    required: 'oauth_callback',
    optional: 'platform_auth_access_type',
  },
  'oauth.access_token': { route: 'POST /oauth/access_token', required: 'oauth_token oauth_verifier' },
  'oauth.invalidate_token': { route: 'POST /1.1/oauth/invalidate_token' },
  'oauth2.token': { route: 'POST /oauth2/token', required: 'grant_type' },
  'oauth2.invalidate_token': { route: 'POST /oauth2/invalidate_token', required: 'access_token' },
  'oauth.authorize': { route: 'GET /oauth/authorize', required: 'oauth_token', optional: 'force_login screen_name' },
  'oauth.authenticate': {
    route: 'GET /oauth/authenticate',
    required: 'oauth_token',
    optional: 'force_login screen_name',
  },
};
