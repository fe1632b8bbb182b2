import { createLogger, type RunningServer, readConfig, startServer } from '@broadside/server';

/** The token of the operator of these servers. */
export const OPERATOR_TOKEN = 'operator-token-of-at-least-24-characters';

/** Starts a server on a data directory in this process, on free ports, for the operator's commands. */
export function startOperated(
  dataDirectory: string,
  { demo, env = {} }: { readonly demo: boolean; readonly env?: Readonly<Record<string, string>> },
): Promise<RunningServer> {
  const config = readConfig({
    BROADSIDE_DATA_DIR: dataDirectory,
    BROADSIDE_DEMO: demo ? '1' : '0',
    BROADSIDE_API_PORT: '0',
    BROADSIDE_ADS_PORT: '0',
    BROADSIDE_SANDBOX_PORT: '0',
    BROADSIDE_WORKERS: '1',
    BROADSIDE_LOG_LEVEL: 'silent',
    BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    ...env,
  });
  return startServer(config, createLogger(config));
}
