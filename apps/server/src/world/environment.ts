/** Environment of advertising data: production, where money is spent, or sandbox. */
export type Environment = 'production' | 'sandbox';
export const environments: readonly Environment[] = ['production', 'sandbox'];
