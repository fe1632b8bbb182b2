/**
 * The thin contract: what a program needs at run time to call operations, as plain data without texts, examples and schemas.
 * It is derived from the contract; nothing is stated here for the first time.
 */
import type { ErrorName } from '../errors/error-name.ts';
import type { AuthEnvelope, Envelope, HttpMethod, UploadCommand, UploadEnvelope } from '../operation/operation.ts';
import type { declarableMediaTypes } from '../resources/media/categories.ts';

/**
 * The type of a value in an answer, as a word: a {@link ThinScalar}, or the index of an object among the `shapes`. Endings
 * wrap what stands before them: `[]` an array, `*` an array of scalars of which each counts once, `|null` a value that may be
 * null, `?` one that may be missing. So `text*|null` is a list of texts or null.
 */
export type ThinType = string;

/** The types of single values. */
export type ThinScalar =
  /** Text, an enumeration's words among it. */
  | 'text'
  /** Text, in place of which a whole number is read as its digits. */
  | 'digits'
  | 'boolean'
  /** A whole number that a double holds. */
  | 'int'
  /** A whole number of 64 bits. */
  | 'long'
  | 'decimal'
  /** A time in whole seconds. */
  | 'time'
  /** A time in milliseconds. */
  | 'instant'
  /** An object that is kept as it is. */
  | 'members';

/** The members of an object by name. */
export type ThinShape = Readonly<Record<string, ThinType>>;

/** The objects of answers. Shapes of equal members are one. */
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

/** How the pages of a list are asked for. */
export interface ThinPaging {
  /** Bounds of `count`, and what holds when it is left out. Absent where the server does not page. */
  readonly count?: { readonly min: number; readonly max: number; readonly default: number };
  /** Parameters that cannot stand beside `cursor`. */
  readonly firstPageOnly: readonly string[];
}

/** An operation of the advertising interface. */
export interface ThinAdsOperation extends ThinFacts {
  readonly kind: 'ads';
  readonly envelope: Envelope;
  readonly sandboxOnly?: true;
  /** What is not in the path is a JSON object. */
  readonly body?: 'json';
  /** Whether the parameter `operations` is the body. */
  readonly batch?: true;
  /** Only of lists. */
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
  /** The part of the body that holds the bytes; absent where there are none. */
  readonly part?: string;
  readonly repeatable?: true;
}

/** An endpoint of authentication. */
export interface ThinAuthOperation extends ThinFacts {
  readonly kind: 'auth';
  readonly envelope: AuthEnvelope;
}

/** An operation that clients call by its id. */
export type ThinOperation = ThinAdsOperation | ThinDataOperation | ThinUploadOperation;

/** What uploads are held to. */
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

/** What every request is held to. */
export interface ThinTransport {
  /** How long a window of the rate limit of writes is. */
  readonly write_window_ms: number;
  /** The code of a refusal that has a status only, by the status. */
  readonly codes: Readonly<Record<number, ErrorName>>;
}
