/** A dialect file cannot be used. The message names the file, line and column of the first mistake, and says what would be right. */
export class DialectFileError extends Error {
  override readonly name = 'DialectFileError';
}
