// Vitest undoes stubs before each test, which is too late for worlds that the next file of the same worker opens before its first test:
// what the last test of a file has stubbed, such as the directory of temporary files, ends with the file.
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
