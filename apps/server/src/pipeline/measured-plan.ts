/** Plans of operations whose calls are measured: rejected credentials and exceeded limits are counted. */
import { type AnyOperation, ApiError, type Issue } from '@broadside/core';
import { isSigned } from '@broadside/core/auth';
import { type Awaitable, chain } from '../awaitable.ts';
import type { FailureReason } from '../telemetry/known-labels.ts';
import { whenEnded, within } from '../telemetry/telemetry.ts';
import type { Caller } from './caller.ts';
import { basicCredentials, bearerToken, type Credentials } from './credentials.ts';
import type { LimitStates } from './rate-limiter.ts';
import type { Services } from './services.ts';
import type { Holder } from './verify-caller.ts';

/** The steps of a plan that are measured. */
export interface MeasuredSteps {
  /** Finds the caller, as a `Verifier` does. */
  readonly verify: (services: Services, credentials: Credentials, holder?: Holder) => Awaitable<Caller>;
  /** Counts a call against the limits of its caller, and of its account where there is one, unless that was done ahead. */
  readonly count: (
    services: Services,
    caller: Caller,
    account_id: string | undefined,
    values: Readonly<Record<string, unknown>>,
    already: LimitStates | undefined,
  ) => Awaitable<LimitStates | undefined>;
}

/** Returns steps that do what those of the plan of an operation do, and measure it where something is measured. */
export function measuredSteps(plan: MeasuredSteps, { rateLimit }: AnyOperation): MeasuredSteps {
  return {
    verify(services, credentials, holder) {
      const { telemetry } = services;
      if (telemetry === undefined) return plan.verify(services, credentials, holder);
      const { figures, tracing } = telemetry;
      const span = tracing?.child('authenticate');
      return whenEnded(
        within(span, () => plan.verify(services, credentials, holder)),
        (failure) => {
          span?.end(failure);
          if (failure?.error instanceof ApiError) {
            const reason = reasonOf(credentials, failure.error.issues[0]);
            figures?.authenticationFailures.add({ reason });
          }
        },
      );
    },
    count(services, caller, account_id, values, already) {
      const counted = plan.count(services, caller, account_id, values, already);
      const { telemetry } = services;
      if (telemetry === undefined) return counted;
      const { figures } = telemetry;
      return chain(counted, (states) => {
        const isExceeded = states?.user.exceeded || states?.account?.exceeded;
        if (isExceeded && rateLimit !== null) figures?.rateLimited.add({ bucket: rateLimit });
        return states;
      });
    },
  };
}

/** The class of the reason for which credentials were rejected. Their values are none. */
function reasonOf({ request, received }: Credentials, issue: Issue): FailureReason {
  const { error, parameter } = issue;
  if (error === 'INVALID_TOKEN') return 'revoked_token';
  if (error === 'TIMESTAMP_OUT_OF_BOUNDS') return 'timestamp';
  if (SUSPENDED.has(error)) return 'suspended';
  if (error === 'OVER_CAPACITY' || error === 'SERVICE_UNAVAILABLE') return 'unavailable';
  if (parameter === 'oauth_nonce') return 'used_nonce';
  if (parameter === 'host') return 'foreign_host';
  if (bearerToken(received.authorization) !== undefined) return 'bearer_token';
  if (basicCredentials(received.authorization) !== undefined) return 'basic';
  if (request.problems.length > 0) return 'malformed';
  return isSigned(request) ? 'signature' : 'unsigned';
}

const SUSPENDED: ReadonlySet<string> = new Set([
  'APP_SUSPENDED',
  'CURRENT_USER_SUSPENDED',
  'UNAUTHORIZED_CLIENT_APPLICATION',
]);
