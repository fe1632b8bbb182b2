/** So many criteria an estimate takes (our choice: more than the keywords of any line item). */
export const MAX_CRITERIA = 1000;
