/** How a file of people is written, where the command line can say it. */

/** What separates cells. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

/** What separates several values in one cell, unless the command line says otherwise. A partner's own id is never divided. */
export const DEFAULT_SEPARATOR = '|';
