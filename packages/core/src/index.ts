/**
 * The contract and everything that all adapters share: operations, errors, wire codecs. Everything specific to one family is in
 * `@broadside/core/resources/<name>`, OAuth 1.0a in `@broadside/core/auth`.
 */

export { type NearestRoute, nearestRoute, type RouteOf, type RouteSlip } from './derive/nearest-route.ts';
export { readingOf, restatedMembers, restatedSentences } from './derive/reading.ts';
export { ApiError, BatchError, diagnosisOf } from './errors/api-error.ts';
export { errorCatalogue, errorCode, errorNumber, errorStatus, numberedError, wireError } from './errors/catalogue.ts';
export type { ErrorCatalogue, ErrorName, ErrorsOfFamilies } from './errors/error-name.ts';
export type { CodesOf, ErrorsOf } from './errors/errors-of.ts';
export { errorsOf } from './errors/operation-errors.ts';
export { problemSlug, requestProblem } from './errors/problems.ts';
export { type Reject, rejectWithAny } from './errors/reject.ts';
export { type MissingNumber, uploadError, uploadErrorNumber, uploadErrorStatus } from './errors/upload-errors.ts';
export {
  type AuthContract,
  allAuthOperations,
  allControlOperations,
  allDataOperations,
  allOperations,
  allOperatorOperations,
  allPages,
  allUploadOperations,
  authContract,
  type ClientContract,
  type Contract,
  type ContractOperation,
  type ControlContract,
  contract,
  controlContract,
  type DataContract,
  dataContract,
  type Family,
  type FullContract,
  familyErrors,
  type OperationOf,
  type OperatorContract,
  operationById,
  operatorContract,
  type PageContract,
  pageContract,
  type UploadContract,
  uploadContract,
} from './families.ts';
export { allows, type Capability, capabilities, type Permission, permissions } from './operation/access.ts';
export { type ByKind, dispatch, isOfKind, isProcedure, type ProcedureKind } from './operation/by-kind.ts';
export { changesAnything, changesOf } from './operation/changes.ts';
export {
  defineAuthOperation,
  defineDataOperation,
  defineHostOperation,
  defineLookup,
  defineOperation,
  defineOperatorOperation,
  definePageOperation,
  defineUploadOperation,
} from './operation/define.ts';
export {
  defaultOf,
  type Field,
  fieldsOf,
  fieldsOfAny,
  isNullable,
  isRequired,
  membersOf,
  pathParameters,
} from './operation/fields.ts';
export {
  account_id,
  count,
  cursor,
  type EntityShape,
  ids,
  type ListQuery,
  listExclusive,
  listParams,
  MAX_IDS,
  q,
  with_deleted,
  with_total_count,
} from './operation/list.ts';
export { readLookup } from './operation/lookup.ts';
export { nearestName } from './operation/nearest-name.ts';
export {
  type Access,
  type AnyOperation,
  type AuthAccess,
  type AuthEnvelope,
  type AuthOperation,
  type BatchItems,
  type BesideData,
  type CallableKind,
  type ControlAccess,
  type ControlOperation,
  type DataAccess,
  type DataOperation,
  type Envelope,
  type Environment,
  type Exclusive,
  type HttpMethod,
  type HttpRoute,
  isOffered,
  isRead,
  type NamedValues,
  type Operation,
  type OperationKind,
  type OperationOfKind,
  type OperationsByKind,
  type OperatorOperation,
  type PageOperation,
  type ProcedureType,
  type UploadAccess,
  type UploadBytes,
  type UploadCommand,
  type UploadEnvelope,
  type UploadOperation,
  type UploadRoute,
  type UploadVersion,
  type UserAccess,
} from './operation/operation.ts';
export type { InputOf, Lookup, OutcomeOf, Page, ParamsOf, ProcedureTypeOf } from './operation/outcome.ts';
export {
  isRemovable,
  missingParameter,
  type RawParams,
  type ReadParams,
  readParams,
} from './operation/parse.ts';
export { type BatchItem, paramsBeside, type ReadBatch, readBatch } from './operation/parse-batch.ts';
export { checkQuota, type QuotaName, type Quotas, quotas } from './operation/quotas.ts';
export { DAY_MS, type RateBucketName, type RateLimit, rateBucket, rateBuckets } from './operation/rate-limits.ts';
export { changedIssues, type Restated } from './operation/restated.ts';
export { isOperation, type OperationTree, walk } from './operation/tree.ts';
export {
  hashIdentifier,
  hashNormalized,
  type IdentifierKind,
  identifierKinds,
  isHash,
  type NormalizedIdentifier,
  normalizeIdentifier,
} from './resources/custom-audiences/identifiers/index.ts';
export { type Cursor, type CursorValue, decodeCursor, encodeCursor } from './wire/cursor.ts';
export type { Issue, NumberedError, WireError } from './wire/issues.ts';
export {
  INT64_MAX,
  INT64_MIN,
  JsonText,
  parseJson,
  quoteJson,
  stringifyJson,
  stringifyJsonInSteps,
} from './wire/json.ts';
export {
  findJsonFault,
  type JsonFault,
  jsonFaultMessage,
  MAX_JSON_ESCAPES,
  MAX_JSON_VALUES,
  type ReadJson,
  readJson,
  readJsonInSteps,
} from './wire/json-bounds.ts';
export {
  isLookupResult,
  type LookupResult,
  type PartialProblem,
  problemType,
  type WireProblem,
  wireProblem,
} from './wire/lookup.ts';
export { readPlainTexts } from './wire/plain-texts.ts';
export { rememberingSerializerOf, rememberingSerializersOf, rememberJson } from './wire/remembered-json.ts';
export { type Serializer, serializerOf, serializersOf } from './wire/serialize.ts';
export { repeatedText, show } from './wire/show.ts';
export { formatTimestamp, parseTimestamp, timestampMs } from './wire/timestamp.ts';
export {
  descriptionOf,
  innerType,
  isStorable,
  type JsonSchema,
  type WireType,
  wireTypeOf,
} from './wire/types.ts';
export { type Variants, variantsOf } from './wire/variants.ts';
