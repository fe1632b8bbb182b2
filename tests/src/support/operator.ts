/** The author of what the operator changes. */
export const OPERATOR = { user_id: null, platform: 'OPERATOR' } as const;
