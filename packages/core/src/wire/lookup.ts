/**
 * What data retrieval gives (reference, conventions section 8): objects, what they include, and one problem for each id that
 * could not be answered with.
 */

/** A problem with one of the ids that were asked for. */
export interface PartialProblem {
  readonly kind: 'not_found' | 'not_authorized' | 'field_not_authorized';
  readonly resource_type: 'post' | 'user' | 'media';
  readonly resource_id: string;
  /** `ids`, or the expansion that asked for it. */
  readonly parameter: string;
  /** The field that may not be seen, for `field_not_authorized`. */
  readonly field?: string;
  readonly section: 'data' | 'includes';
}

/** Whether a value is the result of a lookup. */
export function isLookupResult(value: unknown): value is LookupResult {
  return (
    typeof value === 'object' && value !== null && 'problems' in value && 'includes' in value && 'baseUrl' in value
  );
}

const SLUGS = {
  not_found: 'resource-not-found',
  not_authorized: 'not-authorized-for-resource',
  field_not_authorized: 'not-authorized-for-field',
} as const;

/** The result of a handler of data retrieval: values as they are stored, and problems without the platform's address. */
export interface LookupResult {
  readonly data: readonly object[];
  readonly includes: object;
  readonly problems: readonly PartialProblem[];
  /** The public base URL of the platform. */
  readonly baseUrl: string;
}

/** The `type` of a problem: an address below the platform's own. */
export function problemType(baseUrl: string, slug: string): string {
  return `${baseUrl}/2/problems/${slug}`;
}

/** A partial problem on the wire. */
export interface WireProblem {
  readonly value: string;
  readonly resource_type: PartialProblem['resource_type'];
  readonly parameter: string;
  readonly resource_id: string;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly section?: PartialProblem['section'];
  readonly field?: string;
}

/** Puts a problem into the form of the wire. */
export function wireProblem(problem: PartialProblem, baseUrl: string): WireProblem {
  const { kind, resource_type, resource_id, parameter, field, section } = problem;
  const type = problemType(baseUrl, SLUGS[kind]);
  const common = { value: resource_id, resource_type, parameter, resource_id, type };
  switch (kind) {
    case 'not_found':
      return {
        ...common,
        title: 'Not Found Error',
        detail: `Could not find ${resource_type} with ${parameter}: [${resource_id}].`,
      };
    case 'not_authorized':
      return {
        ...common,
        section,
        title: 'Authorization Error',
        detail: `Sorry, you are not authorized to see the ${resource_type} with ${parameter}: [${resource_id}].`,
      };
    case 'field_not_authorized':
      return {
        ...common,
        section,
        field: field ?? '',
        title: 'Field Authorization Error',
        detail: `Sorry, you are not authorized to see the field ${field ?? ''} of the ${resource_type} ${resource_id}.`,
      };
  }
}
