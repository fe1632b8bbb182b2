export { Fault } from './entity.ts';
export { type Latency, latencyAt } from './latency.ts';
export { concerns, hasBody, isTurn, matchesPath } from './matching.ts';
export type { FaultEffect, FaultMatch, FaultRule } from './params.ts';
export { damagesBody, isDeciding, isOfAccount, type Phase, phaseOf, phases } from './phases.ts';
export { checkEnds, checkFault, errorNamed, type FaultIssue, type LaterEffect, laterEffects } from './rules.ts';
