/** The settings of rate limits and quotas. */
import { type QuotaName, type Quotas, quotas, type RateBucketName, rateBuckets } from '@broadside/core';
import type { Mode } from '../pipeline/mode.ts';
import type { RateLimitProfile } from '../pipeline/rate-limiter.ts';
import { ConfigError } from './addresses.ts';

function isBucket(name: string | undefined): name is RateBucketName {
  return name !== undefined && name in rateBuckets;
}

/** Rate limits: a profile, or figures by bucket in place of the published ones. @throws ConfigError */
export function readRateLimits(text: string | undefined, mode: Mode): RateLimitProfile {
  if (text === 'published' || (text === undefined && mode === 'production')) return {};
  if (text === 'development' || text === undefined) return 'development';
  if (text === 'off') return 'off';
  const figures: Partial<Record<RateBucketName, { limit: number; window_ms: number }>> = {};
  for (const part of text.split(',')) {
    const [, name, limit, seconds] = /^\s*([\w.]+)=(\d{1,9})\/(\d{1,6})\s*$/.exec(part) ?? [];
    if (!isBucket(name) || Number(limit) < 1 || Number(seconds) < 1) {
      const names = Object.keys(rateBuckets).join(', ');
      throw new ConfigError(
        `BROADSIDE_RATE_LIMITS has "${part}"; it must be published, development, off, or name=requests/seconds with a name of ${names}.`,
      );
    }
    figures[name] = { limit: Number(limit), window_ms: Number(seconds) * 1000 };
  }
  return figures;
}

function isQuota(name: string | undefined): name is QuotaName {
  return name !== undefined && Object.hasOwn(quotas, name);
}

/** Quotas that differ from the usual ones. @throws ConfigError */
export function readQuotas(text: string | undefined): Partial<Quotas> {
  const given: Partial<Record<QuotaName, number>> = {};
  for (const part of text?.split(',') ?? []) {
    const [, name, digits] = /^\s*(\w+)=(\d{1,15})\s*$/.exec(part) ?? [];
    if (!isQuota(name)) {
      const names = Object.keys(quotas).join(', ');
      throw new ConfigError(`BROADSIDE_QUOTAS has "${part}"; it must be name=figure with a name of ${names}.`);
    }
    given[name] = Number(digits);
  }
  return given;
}
