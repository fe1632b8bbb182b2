/** The typed client of Broadside. Loads in Node, browsers and edge runtimes. */
export type {
  AudienceUploadOptions,
  CustomAudienceUploadOptions,
  DoNotReachListUploadOptions,
  PeopleUpload,
} from './audience-upload/options.ts';
export type { AudienceUploadProgress, AudienceUploadReport } from './audience-upload/report.ts';
export type { AudienceRow, AudienceRows, RowProblem } from './audience-upload/rows.ts';
export {
  type Client,
  type ClientOptions,
  type CustomAudienceMethods,
  createClient,
  type DoNotReachListMethods,
  type LookupMethod,
  type LookupOptions,
  type MediaMethods,
  type Method,
  type MethodOf,
  type MethodsOf,
  type OperationReference,
  type RawRequest,
  type RawResponse,
  type UploadInput,
  type UploadMedia,
  type UploadMethod,
} from './client.ts';
export type { AuthMode, ClientCredentials, Environment, Host } from './credentials.ts';
export type { Problem } from './decode.ts';
export type { Params, ParamValue } from './encode.ts';
export {
  ApiResponseError,
  AudienceUploadError,
  BroadsideError,
  CallError,
  CredentialsError,
  type ErrorCode,
  MediaProcessingError,
  NetworkError,
  RateLimitError,
  type RequestFacts,
  SandboxOnlyError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
export type { ItemsOptions, ListCall } from './list-call.ts';
export type { MediaBytes, MediaType } from './media-bytes.ts';
export type { UploadOptions, UploadProgress } from './media-upload.ts';
export { createOAuth, type OAuth, type OAuthOptions } from './oauth.ts';
export type { RateLimitState, RateLimits } from './rate-limits.ts';
export { type CodesOfOperation, isRejection, type OperationId, type Rejection } from './rejection.ts';
export type { RetryPolicy } from './retry.ts';
export type { CallOptions, Fetch, ResponseInfo } from './transport.ts';
