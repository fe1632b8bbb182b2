/** Counts the requests of a thread, after their answers have been sent: what each of them costs has to be next to nothing. */
import type { LoggedAnswer } from '../adapters/rest/request-log.ts';
import { Counts, counter, Distribution, type Figure, histogram } from './figures.ts';

/** Upper bounds in seconds. Most reads take less than the first. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The label of requests for nothing that is there. Paths come from strangers, so they are none. */
const NO_OPERATION = 'none';
/** The route of all operations, by which no other request is answered than those for nothing that is there. */
const ANY_PATH = '/*';
/** The label of requests of tRPC for several operations. */
const SEVERAL = 'batch';

/** Methods that are labels. Node's parser takes some thirty. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);

interface MethodFigures {
  readonly durations: Distribution;
  readonly statuses: Map<number, { count: number }>;
}

type ByMethod = Map<string, MethodFigures>;
type ByOperation = Map<string, ByMethod>;

/** An answer, as far as it is counted. */
type CountedAnswer = Pick<LoggedAnswer, 'status' | 'operation' | 'route' | 'rejected'>;

/** Counts a request of a listener that was answered. */
export type CountRequest = (method: string, answer: CountedAnswer, ms: number) => void;

/** See the top of this file. */
export class RequestFigures {
  readonly #listeners = new Map<string, ByOperation>();
  readonly #rejections = new Counts('listener', 'code', 'status');

  /** Returns the function that counts the requests of a listener. */
  listener(listener: string): CountRequest {
    const operations: ByOperation = this.#listeners.get(listener) ?? new Map();
    this.#listeners.set(listener, operations);
    return (method, { status, operation, route, rejected }, ms) => {
      const figures = figuresOf(operations, operation, method, route);
      figures.durations.add(ms / 1000);
      const known = figures.statuses.get(status);
      if (known) known.count += 1;
      else figures.statuses.set(status, { count: 1 });
      if (rejected !== undefined) this.#rejections.add({ listener, status: `${status}`, code: codeOf(rejected) });
    };
  }

  figures(): Figure[] {
    return [
      counter(
        {
          name: 'broadside_http_requests_total',
          help: 'Answered requests by listener, operation, method and status of the answer',
        },
        this.#each().flatMap(([labels, { statuses }]) =>
          Array.from(statuses, ([status, { count }]) => [{ ...labels, status }, count] as const),
        ),
      ),
      histogram(
        {
          name: 'broadside_http_request_duration_seconds',
          help: 'Time from the arrival of a request to the end of its answer, by listener, operation and method',
        },
        this.#each().map(([labels, { durations }]) => [labels, durations] as const),
      ),
      counter(
        {
          name: 'broadside_http_rejections_total',
          help: 'Rejected requests by listener, status and the code of the first error',
        },
        this.#rejections,
      ),
    ];
  }

  #each() {
    return [...this.#listeners].flatMap(([listener, operations]) =>
      [...operations].flatMap(([operation, byMethod]) =>
        Array.from(byMethod, ([method, figures]) => [{ listener, operation, method }, figures] as const),
      ),
    );
  }
}

function figuresOf(
  operations: ByOperation,
  operation: string | undefined,
  method: string,
  route: string | undefined,
): MethodFigures {
  const known = operation ?? route ?? NO_OPERATION;
  const found = operations.get(known)?.get(method);
  return (
    found ?? newFigures(operations, operation === undefined ? routeLabel(route) : operationLabel(operation), method)
  );
}

/** The same for what comes for the first time, or is counted under another label. */
function newFigures(operations: ByOperation, label: string, method: string): MethodFigures {
  const verb = methods.has(method) ? method : 'other';
  const byMethod: ByMethod = operations.get(label) ?? new Map();
  operations.set(label, byMethod);
  const figures = byMethod.get(verb) ?? { durations: new Distribution(DURATIONS), statuses: new Map() };
  byMethod.set(verb, figures);
  return figures;
}

function operationLabel(operations: string): string {
  return operations.includes(',') ? SEVERAL : operations;
}

/** A route without the expressions by which its placeholders are read. */
function routeLabel(route: string | undefined): string {
  if (route === undefined || route === ANY_PATH) return NO_OPERATION;
  return route.replace(/\(\^[^()]*\)/g, '');
}

/** The code of the first error. @param rejected codes with names of parameters, separated by commas */
function codeOf(rejected: string): string {
  return /^\w+/.exec(rejected)?.[0] ?? 'other';
}
