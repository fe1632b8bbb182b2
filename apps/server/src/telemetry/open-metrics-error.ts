/** Metrics would be open to everybody. The message says what to set. */
export class OpenMetricsError extends Error {
  override readonly name = 'OpenMetricsError';
}
