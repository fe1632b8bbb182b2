import { ApiError, type ErrorName, type Issue } from '@broadside/core';
import type { RuledCall } from './fault-rules.ts';

/** Makes the error with which a fault answers a call: one of something that does not exist names its parameter, as the real one does. */
export function injectedError(
  error: ErrorName,
  { operation, params }: Pick<RuledCall, 'operation' | 'params'>,
): ApiError {
  return new ApiError({ error, ...namedBy(error, operation, params) });
}

function namedBy(
  error: ErrorName,
  operation: RuledCall['operation'],
  params: RuledCall['params'],
): Pick<Issue, 'parameter' | 'value'> {
  const [, what] = /^(\w+)_NOT_FOUND$/.exec(error) ?? [];
  if (what === undefined) return {};
  const names = ['id', 'key'].map((suffix) => `${what.toLowerCase()}_${suffix}`);
  const parameter = names.find((name) => name in operation.params.shape && params[name] !== undefined);
  return parameter === undefined ? {} : { parameter, value: params[parameter] };
}
