/** Runs the script in which the build has joined what a start loads, once for each thread. */
import path from 'node:path';
import { keepTick } from './kept-tick.ts';
import { runProgram } from './run-program.ts';

/** The name of the script, which lies beside the output of this file. The build sets it. */
declare const PROGRAM_FILE: string;

keepTick();
export const { program, keepCompiledAfter } = runProgram(path.join(import.meta.dirname, PROGRAM_FILE));
