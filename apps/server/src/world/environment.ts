/** Where advertising data lives: for money, or to try things out. */
export type Environment = 'production' | 'sandbox';
export const environments: readonly Environment[] = ['production', 'sandbox'];
