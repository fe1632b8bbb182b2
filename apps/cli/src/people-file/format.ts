/** The format of a file of people, where the command line can say it. */

/** The separator of cells. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

/** The separator of several values in one cell, unless the command line says otherwise. A partner's own id is never divided. */
export const DEFAULT_SEPARATOR = '|';
