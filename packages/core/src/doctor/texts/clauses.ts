/** Clauses of RFC 5849 that several mistakes violate. */

export const METHOD = 'RFC 5849 section 3.4.1.1';
export const URI = 'RFC 5849 section 3.4.1.2';
export const SOURCES = 'RFC 5849 section 3.4.1.3.1';
export const NORMALIZATION = 'RFC 5849 section 3.4.1.3.2';
export const KEY = 'RFC 5849 section 3.4.2';
export const ENCODING = 'RFC 5849 section 3.6';
export const SENDING = 'RFC 5849 section 3.5';
export const CHECKS = 'RFC 5849 section 3.2';
export const TIME = 'RFC 5849 section 3.3';
