/**
 * The thin contract: the data that a program needs at run time to call operations, without texts, examples and schemas.
 * It is derived from the contract; no fact originates here.
 */
import type { ErrorName } from '../errors/error-name.ts';
import type { AuthEnvelope, Envelope, HttpMethod, UploadCommand, UploadEnvelope } from '../operation/operation.ts';
import type { declarableMediaTypes } from '../resources/media/categories.ts';

/**
 * The type of a value in a response: a {@link ThinScalar}, or the index of an object among the `shapes`. Suffixes wrap
 * the type before them: `[]` an array, `*` an array of scalars in which each counts once, `|null` a value that may be
 * null, `?` one that may be missing. So `text*|null` is a list of texts or null.
 */
export type ThinType = string;

/** The types of single values. */
export type ThinScalar =
  /** Text, including the values of enumerations. */
  | 'text'
  /** Text for which a whole number is accepted and read as its digits. */
  | 'digits'
  | 'boolean'
  /** A whole number that a double represents exactly. */
  | 'int'
  /** A whole number of 64 bits. */
  | 'long'
  | 'decimal'
  /** A time in whole seconds. */
  | 'time'
  /** A time in milliseconds. */
  | 'instant'
  /** An object that is passed through unchanged. */
  | 'members'
  /** An array that is passed through unchanged. */
  | 'items';

/** The members of an object by name. */
export type ThinShape = Readonly<Record<string, ThinType>>;

/** The objects in responses. Equal shapes are one. */
export type ThinShapes = readonly ThinShape[];

interface ThinFacts {
  readonly id: string;
  readonly method: HttpMethod;
  /** Parameters in it are written `:name`. */
  readonly path: string;
  /** The parameters that `null` removes. */
  readonly removable?: readonly string[];
  /** The type of `data`, or of one element of it. */
  readonly data: ThinType;
}

/** The paging parameters of a list. */
export interface ThinPaging {
  /** Bounds and default of `count`. Absent where the server does not page. */
  readonly count?: { readonly min: number; readonly max: number; readonly default: number };
  /** Parameters that cannot be combined with `cursor`. */
  readonly firstPageOnly: readonly string[];
}

/** An operation of the advertising interface. */
export interface ThinAdsOperation extends ThinFacts {
  readonly kind: 'ads';
  readonly envelope: Envelope;
  readonly sandboxOnly?: true;
  /** Parameters outside the path are a JSON object. */
  readonly body?: 'json';
  /** The parameter `operations` is the body. */
  readonly batch?: true;
  /** Present on lists only. */
  readonly paging?: ThinPaging;
}

/** An operation of data retrieval. */
export interface ThinDataOperation extends ThinFacts {
  readonly kind: 'data';
  readonly includes: ThinType;
}

/** A step of an upload. */
export interface ThinUploadOperation extends ThinFacts {
  readonly kind: 'upload';
  readonly envelope: UploadEnvelope;
  /** Sent as a parameter. */
  readonly command?: UploadCommand;
  /** The part of the body that contains the bytes; absent if there are none. */
  readonly part?: string;
  readonly repeatable?: true;
}

/** An endpoint of authentication. */
export interface ThinAuthOperation extends ThinFacts {
  readonly kind: 'auth';
  readonly envelope: AuthEnvelope;
}

/** An operation that clients call by id. */
export type ThinOperation = ThinAdsOperation | ThinDataOperation | ThinUploadOperation;

/** Limits of uploads. */
export interface ThinUploads {
  readonly segment_bytes: number;
  readonly segments: number;
  /** The types that an upload may declare. */
  readonly media_types: typeof declarableMediaTypes;
}

/** The advertising interface, data retrieval and uploads. */
export interface ThinContract {
  readonly operations: readonly ThinOperation[];
  readonly shapes: ThinShapes;
  readonly uploads: ThinUploads;
}

/** The endpoints of authentication and the pages of the three-legged flow, by id. */
export interface ThinAuthContract {
  readonly operations: Readonly<Record<string, ThinAuthOperation>>;
  readonly shapes: ThinShapes;
  /** The paths of the pages. */
  readonly pages: Readonly<Record<string, string>>;
}

/** Limits of every request. */
export interface ThinTransport {
  /** The length of a rate-limit window for writes. */
  readonly write_window_ms: number;
  /** The code for a rejection that has only a status, by status. */
  readonly codes: Readonly<Record<number, ErrorName>>;
}
