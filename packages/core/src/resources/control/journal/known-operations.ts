/** Operations that are asked for by name: one that does not exist is never called, so a test of it would prove nothing. */
import { type Issue, invalidParameter } from '../../../wire/issues.ts';
import { noSuchOperation } from '../named-operations.ts';
import { matchesOperation } from './match.ts';
import type { Expectation } from './verify.ts';

type Unknown = Issue<'INVALID_PARAMETER'>;

/** Checks that a filter names operations that exist. @param known the ids of all */
export function checkFilter(operation: string | undefined, known: readonly string[]): Unknown[] {
  return checkName('operation', { name: operation, place: 'operation' }, known);
}

/** Checks that expectations name operations that exist. @param known the ids of all */
export function checkExpectations(expectations: readonly Expectation[], known: readonly string[]): Unknown[] {
  return expectations.flatMap((expectation, at) => {
    const own = `expectations[${at}]`;
    if ('call' in expectation) {
      return checkName('expectations', { name: expectation.call.operation, place: `${own}.operation` }, known);
    }
    const { order = [] } = 'order' in expectation ? expectation : {};
    return order.flatMap(({ operation: name }, step) => {
      const place = step === 0 ? `${own}.operation` : `${own}.then[${step - 1}].operation`;
      return checkName('expectations', { name, place }, known);
    });
  });
}

function checkName(
  parameter: string,
  { name, place }: { readonly name: string | undefined; readonly place: string },
  known: readonly string[],
): Unknown[] {
  if (name === undefined || known.some((id) => matchesOperation(name, id))) return [];
  return [invalidParameter(parameter, name, noSuchOperation({ name, place }, known))];
}
