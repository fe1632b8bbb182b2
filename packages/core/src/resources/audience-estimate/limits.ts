/** Maximum number of criteria of an estimate (our choice: more than the keywords of any line item). */
export const MAX_CRITERIA = 1000;
