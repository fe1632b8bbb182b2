/**
 * Errors of data retrieval (reference, conventions section 8): a request as a whole is refused with one problem; what some
 * of the ids asked for could not be answered with stands beside the data, one problem for each.
 */

/** What a partial problem is about. */
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

const SLUGS = {
  not_found: 'resource-not-found',
  not_authorized: 'not-authorized-for-resource',
  field_not_authorized: 'not-authorized-for-field',
} as const;

/** The `type` of a problem: an address below the platform's own. */
export function problemType(baseUrl: string, slug: string): string {
  return `${baseUrl}/2/problems/${slug}`;
}

/** A partial problem on the wire. */
export function wireProblem(problem: PartialProblem, baseUrl: string): Readonly<Record<string, unknown>> {
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
