export { deliveries, JournalCall } from './entity.ts';
export { expectations, MOST_EXPECTATIONS } from './expectations.ts';
export { checkExpectations, checkFilter } from './known-operations.ts';
export { isForAccount, isOfUser, LEFT_OUT, matchesOperation } from './match.ts';
export { type Expectation, type Forgotten, type TimedCall, type Verdict, verify } from './verify.ts';
