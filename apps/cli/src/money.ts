/** Amounts of money as people write them. */
import { isFundedCurrency, minimumDenomination } from '@broadside/core/money';

const MICROS = 6;

/** Returns whether a member of an entity is an amount in micros. */
export function isMoney(name: string): boolean {
  return name.endsWith('_local_micro');
}

/**
 * An amount in micros in its currency, exact: 55000000 in USD is `55.00 USD`. Has as many decimals as the currency, and
 * more where the amount has more.
 */
export function formatMoney(micros: bigint, currency: string | undefined): string {
  const least = currency !== undefined && isFundedCurrency(currency) ? decimalsOf(minimumDenomination(currency)) : 2;
  const digits = (micros < 0n ? -micros : micros).toString().padStart(MICROS + 1, '0');
  const whole = digits.slice(0, -MICROS);
  const fraction = digits.slice(-MICROS).replace(/0+$/, '').padEnd(least, '0');
  const amount = `${micros < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  return currency === undefined ? amount : `${amount} ${currency}`;
}

function decimalsOf(denomination: bigint): number {
  return MICROS - (denomination.toString().length - 1);
}
