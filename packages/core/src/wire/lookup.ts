/**
 * The result of data retrieval (reference, conventions section 8): objects, the objects that they include, and one
 * problem for each id without a result.
 */

/** A problem with one of the requested ids. */
export interface PartialProblem {
  readonly kind: 'not_found' | 'not_authorized' | 'field_not_authorized';
  readonly resource_type: 'post' | 'user' | 'media';
  readonly resource_id: string;
  /** `ids`, or the expansion that requested it. */
  readonly parameter: string;
  /** The field that the caller may not see, for `field_not_authorized`. */
  readonly field?: string;
  readonly section: 'data' | 'includes';
}

/** Returns whether a value is the result of a lookup. */
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

/** The result of a data retrieval handler: values as stored, and problems without the platform's address. */
export interface LookupResult {
  readonly data: readonly object[];
  readonly includes: object;
  readonly problems: readonly PartialProblem[];
  /** The public base URL of the platform. */
  readonly baseUrl: string;
}

/** Returns the `type` of a problem: a URL below the platform's own. */
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

/** Returns the wire form of a problem. */
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
