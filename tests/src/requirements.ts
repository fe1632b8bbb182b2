/**
 * What the specification asks of this part of the platform, sentence by sentence, as data. Tests cite the ids: scenarios
 * (`tests/src/scenarios`) play a requirement on every face that can express it, other tests name it in their title. A gate
 * (`requirements.test.ts`) holds that nothing is uncited.
 */
import type { FaceName } from './support/faces.ts';

/** One thing that must hold. */
export interface Requirement {
  /** Where it is written: A, B, C are the parts of the specification, R the reference, 2 the issue of the foundation. */
  readonly clause: string;
  /** The guarantee, in one sentence. */
  readonly text: string;
  /** Where it shows; faces that cannot express it are left out for a reason. */
  readonly on: 'every face' | { readonly only: readonly FaceName[]; readonly because: string };
}

const wire = { only: ['rest'], because: 'it is about HTTP, which the typed faces hide' } as const;
const store = { only: ['rest'], because: 'it is about what is stored, whatever face stored it' } as const;
const typed = { only: ['rest', 'trpc'], because: 'the client refuses such a call before it is sent' } as const;

export const requirements = {
  // Specification A, shared conventions.
  'A-PATH-VERSION': { clause: 'A conventions 1', text: 'paths carry version 12 and no other', on: wire },
  'A-ACCOUNT-OF-CALLER': {
    clause: 'A conventions 2',
    text: 'a stranger to an account is answered as if there were none',
    on: wire,
  },
  'A-ENVELOPE-ENTITY': { clause: 'A conventions 3', text: 'one entity is {request: {params}, data}', on: wire },
  'A-ENVELOPE-LIST': {
    clause: 'A conventions 3',
    text: 'a list is {request, next_cursor, data}, empty ones too',
    on: wire,
  },
  'A-DELETED-SHOWN': {
    clause: 'A conventions 3',
    text: 'a deletion returns the entity with deleted true',
    on: 'every face',
  },
  'A-ECHO': { clause: 'R conventions 2', text: 'the echo holds what was sent, typed, and no defaults', on: wire },
  'A-ECHO-UNSET': { clause: 'R conventions 2', text: 'a parameter that unsets a field is echoed as null', on: wire },
  'A-ECHO-REFUSED': { clause: 'R conventions 7', text: 'a refusal echoes what could be read', on: wire },
  'A-COUNT': {
    clause: 'A conventions 4, count',
    text: 'a page holds 200 records, or 1 to 1000 as asked',
    on: 'every face',
  },
  'A-COUNT-BOUNDS': { clause: 'A conventions 4, count', text: 'a count below 1 or above 1000 is refused', on: typed },
  'A-CURSOR-WALK': {
    clause: 'A conventions 4, cursor',
    text: 'following the cursors gives every record once, in order',
    on: 'every face',
  },
  'A-CURSOR-STABLE': { clause: '2 REST', text: 'pages neither repeat nor skip while records come and go', on: store },
  'A-CURSOR-FOREIGN': {
    clause: 'A conventions 4, cursor',
    text: 'a cursor of another order, or no cursor at all, is refused',
    on: 'every face',
  },
  'A-CURSOR-ACCOUNT': {
    clause: 'DESIGN 4',
    text: 'a cursor of one account opens nothing in another',
    on: 'every face',
  },
  'A-SORT': {
    clause: 'A conventions 4, sort_by',
    text: 'every sortable attribute sorts both ways, nulls below all values',
    on: 'every face',
  },
  'A-SORT-PAGES': {
    clause: 'A conventions 4, sort_by',
    text: 'every order can be paged, through equal and missing values',
    on: 'every face',
  },
  'A-SORT-DEFAULT': { clause: 'R conventions 4', text: 'without an order the newest come first', on: 'every face' },
  'A-SORT-UNKNOWN': {
    clause: 'A conventions 4, sort_by',
    text: 'an attribute that does not sort is refused',
    on: 'every face',
  },
  'A-DELETED': {
    clause: 'A conventions 4, with_deleted',
    text: 'deleted records are listed and found only on demand',
    on: 'every face',
  },
  'A-TOTAL': {
    clause: 'A conventions 4, with_total_count',
    text: 'total_count is the number of matches on all pages, on demand',
    on: 'every face',
  },
  'A-TOTAL-CURSOR': {
    clause: 'A conventions 4, with_total_count',
    text: 'with_total_count and cursor exclude each other',
    on: 'every face',
  },
  'A-IDS': {
    clause: 'A conventions 4, <entity>_ids',
    text: 'up to 200 ids filter a list; unknown ones are left out',
    on: 'every face',
  },
  'A-IDS-201': { clause: 'A conventions 4, <entity>_ids', text: '201 ids are refused', on: typed },
  'A-Q': { clause: 'A conventions 4, q', text: 'q matches the beginning of a name in any case', on: 'every face' },
  'A-Q-LITERAL': {
    clause: 'A conventions 4, q',
    text: 'characters that patterns know stand for themselves',
    on: 'every face',
  },
  'A-TIMES': {
    clause: 'A conventions 5; R conventions 3',
    text: 'times come in with any offset and go out in UTC to the second',
    on: 'every face',
  },
  'A-MONEY': {
    clause: 'A conventions 5; 2 the slice',
    text: 'money is exact to the last of 64 bits, in and out',
    on: 'every face',
  },
  'A-MONEY-WIRE': {
    clause: 'A conventions 5; 2 the slice',
    text: 'money is exact in query, form, JSON body and batch',
    on: wire,
  },
  'A-MONEY-BEYOND': { clause: '2 quality', text: 'an amount above 64 bits, or none, is refused', on: typed },
  'A-PLACES': {
    clause: 'A conventions 6; DESIGN 3',
    text: 'parameters come in the query, a form or a JSON body',
    on: wire,
  },
  'A-UNSET': { clause: 'A conventions 6', text: 'an empty value unsets a field that can be removed', on: 'every face' },
  'A-UNSET-FIXED': { clause: 'A conventions 6', text: 'a field that cannot be removed is not emptied', on: wire },
  'A-PUT-PARTIAL': { clause: 'R conventions 5', text: 'a change touches only what it names', on: 'every face' },
  'A-BATCH': {
    clause: 'A conventions 7',
    text: 'a batch answers with its entities in the order of its items',
    on: 'every face',
  },
  'A-BATCH-ENVELOPE': {
    clause: 'A conventions 7; R conventions 6',
    text: 'a batch echoes its items with account_id',
    on: wire,
  },
  'A-BATCH-ATOMIC': {
    clause: 'A conventions 7',
    text: 'a batch with a fault at any index changes nothing and names the index',
    on: 'every face',
  },
  'A-BATCH-ALL-FAULTS': {
    clause: 'A Errors',
    text: 'a refused batch names the faults of all its items',
    on: 'every face',
  },
  'A-BATCH-41': { clause: 'C Limits; A Errors', text: 'a batch of 41 is refused as a whole', on: 'every face' },
  'A-BATCH-JSON': { clause: 'A conventions 7', text: 'a batch is a JSON array', on: wire },
  'A-SANDBOX-ONLY': { clause: 'A conventions 8', text: 'operations of the sandbox exist there only', on: wire },
  // Specification A, Authentication and Errors.
  'A-AUTH': { clause: 'A Authentication 4', text: 'a call is signed by an authenticated user', on: wire },
  'A-PERMISSIONS': { clause: 'A Authentication 6', text: 'each permission allows what the table says', on: wire },
  'A-ERRORS': {
    clause: 'A Errors; R conventions 7',
    text: 'a refusal is a list of errors that name parameter and value',
    on: 'every face',
  },
  'A-ERRORS-ALL': { clause: 'R conventions 7', text: 'several faults give several errors', on: 'every face' },
  'A-ROUTE': {
    clause: 'R conventions 5',
    text: 'an unknown path is 404 ROUTE_NOT_FOUND, a wrong method 405',
    on: wire,
  },
  'A-RATE': { clause: 'R conventions 9', text: 'answers carry the rate limits of user and account', on: wire },
  'A-RATE-FIGURES': { clause: 'R conventions 9', text: 'the published figures are the default', on: wire },
  'A-RATE-EXCEEDED': { clause: 'R conventions 9', text: 'beyond the limit is 429 until the window ends', on: wire },
  'A-RATE-TOTAL': { clause: 'A Limits', text: 'requests with total_count have a limit of 200 in 15 minutes', on: wire },
  'A-RATE-STRANGER': { clause: 'DESIGN 5', text: 'a stranger cannot use up the limit of an account', on: wire },
  // Specification A, Authentication endpoints: the three-legged flow.
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
  // Specification A, Authentication endpoints: revocation and bearer tokens.
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
  // Specification A, data retrieval.
  'A-POST-MINIMAL': {
    clause: 'A Post (v2); A User (v2); A Media (v2); R data-retrieval 3',
    text: 'without field parameters an object has its default fields only',
    on: 'every face',
  },
  'A-POST-FIELDS': {
    clause: 'A Post (v2), post.fields; R data-retrieval 4',
    text: 'each field of a post is returned when it is named, with its type and shape, and only then',
    on: 'every face',
  },
  'A-USER-FIELDS': {
    clause: 'A User (v2); R data-retrieval 7',
    text: 'each field of a user is returned when it is named in user.fields, and only then',
    on: 'every face',
  },
  'A-MEDIA-FIELDS': {
    clause: 'A Media (v2); R data-retrieval 6',
    text: 'each field of media is returned when it is named in media.fields, and only then',
    on: 'every face',
  },
  'A-POST-LATER-FIELDS': {
    clause: 'R data-retrieval 4 and 7',
    text: 'fields of later versions are accepted, and nothing comes of them',
    on: 'every face',
  },
  'A-POST-EXPANSIONS': {
    clause: 'A includes; R data-retrieval 5',
    text: 'each expansion fills what it names and adds the member that leads there',
    on: 'every face',
  },
  'A-POST-INCLUDES': {
    clause: 'A includes; R data-retrieval 2',
    text: 'an included object stands once; a list that would be empty is absent, and so is includes',
    on: 'every face',
  },
  'A-POST-ORDER': {
    clause: 'R data-retrieval 2',
    text: 'posts come in the order of their ids, one whose id is repeated once',
    on: 'every face',
  },
  'A-POST-MISSING': {
    clause: 'R conventions 8; R data-retrieval 12',
    text: 'an unknown or deleted post is a problem beside what was found, also where another post refers to it',
    on: 'every face',
  },
  'A-POST-NONE': {
    clause: 'R conventions 8; R data-retrieval 12',
    text: 'where nothing was found the answer is 200 with errors only',
    on: 'every face',
  },
  'A-POST-PROTECTED': {
    clause: 'R data-retrieval 12; 4 what must work',
    text: 'posts of a protected author are seen by approved followers and the author only',
    on: 'every face',
  },
  'A-POST-OWN-METRICS': {
    clause: 'R data-retrieval 2 and 4',
    text: 'private metrics are for the author; others get a problem of the field',
    on: 'every face',
  },
  'A-POST-REFUSED': {
    clause: 'R conventions 8; R data-retrieval 2',
    text: 'a parameter that is missing, malformed, too long or unknown is refused in words of its own',
    on: 'every face',
  },
  'A-POST-REFUSED-BODY': {
    clause: 'R conventions 8',
    text: 'a refused request is an invalid-request problem that names parameters and values',
    on: wire,
  },
  'A-POST-BEARER': {
    clause: 'A GET /2/posts; A Authentication 2; A States',
    text: 'the bearer token of an app opens data retrieval until it is invalidated',
    on: wire,
  },
  'A-POST-OAUTH': {
    clause: 'R data-retrieval 2; A Errors, 89',
    text: 'a signature of a user opens data retrieval until the token is revoked, then it is 401 with code 89',
    on: wire,
  },
  'A-POST-UNAUTHORIZED': { clause: 'R conventions 8', text: 'no or bad credentials are a 401 problem', on: wire },
  'A-POST-SUSPENDED': {
    clause: 'R conventions 8',
    text: 'a suspended app is a 403 problem of the slug client-forbidden',
    on: wire,
  },
  'A-POST-RATE': {
    clause: 'R conventions 9',
    text: 'an app has 3,500 and a user 5,000 requests in 15 minutes, then it is a 429 problem',
    on: wire,
  },
  'A-POST-METHOD': {
    clause: 'R conventions 8',
    text: 'other methods are a 405 problem that names the right one',
    on: wire,
  },
  // Specification C, accounts and features.
  'C-ACCOUNT-CREATE': {
    clause: 'C Accounts, POST; C States',
    text: 'a new sandbox account is ACCEPTED and the caller its administrator',
    on: 'every face',
  },
  'C-ACCOUNT-UPDATE': {
    clause: 'C Accounts, PUT',
    text: 'name and industry can be changed, the industry shown on one account only',
    on: 'every face',
  },
  'C-ACCOUNT-LIST': { clause: 'C Accounts, GET', text: 'the list holds the accounts of the caller', on: 'every face' },
  'C-ACCOUNT-DELETE': {
    clause: 'C Accounts, DELETE; C States',
    text: 'a deleted account is found among deleted ones only',
    on: 'every face',
  },
  'C-ACCOUNT-DELETED-BELOW': {
    clause: 'C Accounts, DELETE',
    text: 'nothing below a deleted account can be reached',
    on: 'every face',
  },
  'C-FEATURES-INITIAL': {
    clause: 'R campaign-management 6',
    text: 'a sandbox account begins with the initial features',
    on: 'every face',
  },
  'C-FEATURES-ADD': {
    clause: 'C Account features; C States',
    text: 'adding features answers with all, in alphabetical order, twice the same',
    on: 'every face',
  },
  'C-FEATURES-REMOVE': {
    clause: 'C Account features; C States',
    text: 'removing features answers with those that remain, twice the same',
    on: 'every face',
  },
  'C-FEATURES-EVERY': {
    clause: 'C Account features',
    text: 'each feature of the specification can be added and removed',
    on: 'every face',
  },
  'C-FEATURES-FILTER': {
    clause: 'C Account features',
    text: 'feature_keys keeps the keys that the account has',
    on: 'every face',
  },
  'C-FEATURES-UNKNOWN': {
    clause: 'C Account features',
    text: 'an unknown key, or one that the sandbox cannot give, is refused',
    on: 'every face',
  },
  // Specification C, funding instruments.
  'C-FUNDING-CREATE': {
    clause: 'C Funding instruments, POST',
    text: 'each type can be created with what applies to it',
    on: 'every face',
  },
  'C-FUNDING-REQUIRED': {
    clause: 'C Funding instruments, POST',
    text: 'currency, start and type are required, the end for insertion orders',
    on: 'every face',
  },
  'C-FUNDING-AMOUNTS': {
    clause: 'C Funding instruments, POST',
    text: 'credit and funded amount apply to their types only',
    on: 'every face',
  },
  'C-FUNDING-WINDOW': { clause: 'R campaign-management 7', text: 'the end lies after the start', on: 'every face' },
  'C-FUNDING-DELETE': {
    clause: 'C States',
    text: 'a deleted instrument cannot fund, and its campaigns say so',
    on: 'every face',
  },
  'C-FUNDING-EXPIRED': {
    clause: 'R campaign-management 7',
    text: 'an instrument whose end has passed cannot fund',
    on: 'every face',
  },
  // Specification C, campaigns.
  'C-CAMPAIGN-DEFAULTS': {
    clause: 'C Campaign create parameters',
    text: 'a new campaign has the stated defaults',
    on: 'every face',
  },
  'C-CAMPAIGN-STATUS': {
    clause: 'C States',
    text: 'a campaign begins ACTIVE, DRAFT or PAUSED and moves to ACTIVE or PAUSED',
    on: 'every face',
  },
  'C-CAMPAIGN-LENGTHS': {
    clause: 'C Limits',
    text: 'a name has up to 255 characters, an order number up to 50',
    on: typed,
  },
  'C-CAMPAIGN-BUDGETS': {
    clause: 'C Campaign create parameters',
    text: 'the daily budget is at most the total',
    on: 'every face',
  },
  'C-CAMPAIGN-DAILY': { clause: 'C Campaign create parameters', text: 'credit needs a daily budget', on: 'every face' },
  'C-CAMPAIGN-DELIVERY': {
    clause: 'C Campaign create parameters',
    text: 'delivery is set where the budget is',
    on: 'every face',
  },
  'C-CAMPAIGN-CURRENCY': {
    clause: 'C Campaign create parameters',
    text: 'the currency is that of the funding instrument',
    on: 'every face',
  },
  'C-CAMPAIGN-FUNDING': {
    clause: 'C Campaign create parameters',
    text: 'the funding instrument exists and is not deleted, and stays',
    on: 'every face',
  },
  'C-CAMPAIGN-FILTER': {
    clause: 'C Campaigns, GET',
    text: 'campaigns are found by id and by funding instrument',
    on: 'every face',
  },
  'C-CAMPAIGN-DRAFT': {
    clause: 'C Campaigns, GET with_draft',
    text: 'drafts are listed only on demand',
    on: 'every face',
  },
  'C-CAMPAIGN-DELETE': {
    clause: 'C States; A Errors',
    text: 'a deleted campaign cannot be changed or deleted again',
    on: 'every face',
  },
  'C-CAMPAIGN-SERVABLE': {
    clause: 'C Campaign; R campaign-management 8',
    text: 'servable, reasons and effective_status follow from the state',
    on: 'every face',
  },
  'C-CAMPAIGN-LIMIT': {
    clause: 'C Limits',
    text: '200 active campaigns, counting paused ones and no drafts or deleted ones',
    on: store,
  },
  'C-CAMPAIGN-LIMIT-RAISED': { clause: 'C Limits', text: 'a raised limit applies', on: store },
  'C-CAMPAIGN-LIMIT-CONCURRENT': {
    clause: '2 the slice',
    text: 'the limit is exact under concurrent requests',
    on: store,
  },
  'C-CAMPAIGN-LIMIT-BATCH': {
    clause: 'C Limits',
    text: 'a batch that passes the limit is refused at the item that does',
    on: store,
  },
  // Specification C, line items.
  'C-LINE-DEFAULTS': {
    clause: 'C Line item create parameters; R campaign-management 9',
    text: 'a new line item has the stated defaults',
    on: 'every face',
  },
  'C-LINE-RULES': {
    clause: 'C Line item create parameters',
    text: 'each rule of the create table refuses what breaks it',
    on: 'every face',
  },
  'C-LINE-ACCEPTED': {
    clause: 'C Line item create parameters',
    text: 'each objective can be created with what it needs',
    on: 'every face',
  },
  'C-LINE-SHARED': {
    clause: 'C Line item create parameters',
    text: 'line items of a campaign share objective and product type',
    on: 'every face',
  },
  'C-LINE-UPDATE': {
    clause: 'C Line items, PUT; R campaign-management 9.2',
    text: 'what the reference lists can be changed and unset',
    on: 'every face',
  },
  'C-LINE-FILTER': {
    clause: 'C Line items, GET',
    text: 'line items are found by id, campaign and funding instrument',
    on: 'every face',
  },
  'C-LINE-DRAFT': {
    clause: 'C Line items, GET with_draft',
    text: 'drafts are listed only on demand',
    on: 'every face',
  },
  'C-LINE-DELETE': {
    clause: 'C States',
    text: 'a deleted line item cannot be changed or deleted again',
    on: 'every face',
  },
  'C-LINE-OF-DELETED': {
    clause: 'C States',
    text: 'line items of a deleted campaign are among the deleted ones',
    on: 'every face',
  },
  'C-LINE-LIMIT-100': { clause: 'C Limits', text: 'a campaign has up to 100 line items', on: store },
  'C-LINE-LIMIT-256': { clause: 'C Limits', text: 'an account has up to 256 active line items', on: store },
  'C-LINE-DELETE-FREE': { clause: 'C Limits', text: 'no limit keeps a line item from being deleted', on: store },
  'C-LINE-LIMIT-CONCURRENT': {
    clause: '2 the slice',
    text: 'the limits of line items are exact under concurrent requests',
    on: store,
  },
  // Storage.
  'S-DURABLE': { clause: '2 what must work', text: 'everything is still there after a restart', on: store },
  'S-CHANGE-LOG': { clause: 'DESIGN 4', text: 'every change is recorded in the transaction that makes it', on: store },
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;
