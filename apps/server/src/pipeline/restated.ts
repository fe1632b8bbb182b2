/**
 * Settles what an update restates of its entity: clients send back all that they loaded. The entity is read as its caller reads
 * it, by the operation that gets one, and only where something was sent that the update does not take.
 */
import {
  type AnyOperation,
  ApiError,
  changedIssues,
  type Issue,
  pathParameters,
  type RawParams,
  type Restated,
  readingOf,
  readParams,
} from '@broadside/core';
import { type Awaitable, attempt, chain } from '../awaitable.ts';
import type { PipelineContext } from './context-for.ts';
import type { ReadCall } from './read-call.ts';
import type { UntypedHandler } from './services.ts';

/** Settles a call: of what was restated, only the issues are left. */
export type Settler = (context: PipelineContext, read: ReadCall) => Awaitable<ReadCall>;

/** Returns the function that settles the calls of an operation. */
export function settlerOf(handlerOf: (operation: AnyOperation) => UntypedHandler, operation: AnyOperation): Settler {
  const reading = readingOf(operation);
  if (!reading) return (_context, read) => read;
  const { entity } = reading;
  const handler = handlerOf(reading.operation);
  const names = pathParameters(reading.operation);

  /** The issues of what is restated of the entity that the parameters name. */
  const settle = (context: PipelineContext, params: RawParams, restated: readonly Restated[]) => {
    const key = Object.fromEntries(names.map((name) => [name, params[name]]));
    const { values, issues } = readParams(reading.operation.params, key);
    // Without an id there is nothing to compare with; that it is missing has been reported.
    if (issues.length > 0) return restated.flatMap((member) => member.issues);
    return attempt(
      () => chain(handler(context, values), (shown) => changedIssues(entity, restated, isRecord(shown) ? shown : {})),
      (error): readonly Issue[] => {
        if (!(error instanceof ApiError)) throw error;
        const own = restated.flatMap((member) => member.issues);
        return own.length > 0 ? own : error.issues;
      },
    );
  };

  return (context, read) => {
    const { restated, restatedItems, ...settled } = read;
    if (restated) {
      return chain(settle(context, read.values, restated), (issues) => ({
        ...settled,
        issues: [...read.issues, ...issues],
      }));
    }
    return restatedItems ? settleItems(context, read, settle) : settled;
  };
}

async function settleItems(
  context: PipelineContext,
  { restatedItems, ...read }: ReadCall,
  settle: (context: PipelineContext, params: RawParams, restated: readonly Restated[]) => Awaitable<readonly Issue[]>,
): Promise<ReadCall> {
  const itemIssues = [...(read.itemIssues ?? [])];
  for (const [index, restated] of restatedItems ?? []) {
    const { account_id } = read.values;
    const issues = await settle(context, { ...read.items?.[index]?.params, account_id }, restated);
    itemIssues[index] = [...(itemIssues[index] ?? []), ...issues];
  }
  return { ...read, itemIssues };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
