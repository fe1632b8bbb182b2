// Empties `dist` of the package in whose folder it runs: the compiler leaves files there whose sources have moved.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
