/** The run of an upload of people: reads the file, sends it, keeps how far it is, and reports. */
import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as timer } from 'node:timers/promises';
import type { AudienceUploadOptions, AudienceUploadProgress, AudienceUploadReport } from '@broadside/client';
import { parseTimestamp } from '@broadside/core/wire';
import type { Invocation } from '../command.ts';
import { CliError, UsageError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { prettyJson } from '../json.ts';
import { painter } from '../paint.ts';
import { type Destination, destinationOf, type ListFamily, type ListNow, nowhere } from '../people-file/destination.ts';
import { DEFAULT_SEPARATOR, delimiters } from '../people-file/format.ts';
import { columnsOfFlag } from '../people-file/identifier-columns.ts';
import { type FileFormat, PeopleFile } from '../people-file/people-file.ts';
import { ProblemList, placeLine } from '../people-file/problem-list.ts';
import { UploadState } from '../people-file/upload-state.ts';
import { ProgressBar } from '../progress-bar.ts';
import { reportOf } from '../report.ts';
import { didYouMean } from '../suggest.ts';
import { pairs } from '../table.ts';
import { grouped } from '../text.ts';

/** The order of a command line. */
interface Order {
  readonly format: FileFormat;
  readonly isDry: boolean;
  readonly isHuman: boolean;
  readonly isQuiet: boolean;
  readonly isWaiting: boolean;
  readonly upload: Pick<AudienceUploadOptions, 'operation_type' | 'hashed' | 'effective_at' | 'expires_at'>;
}

/** Uploads the people of a file. */
export async function uploadPeople({ io, flags, words }: Invocation, family: ListFamily): Promise<void> {
  const order = readOrder(flags);
  const bar = new ProgressBar(io.stderr, () => performance.now());
  // What is said meanwhile must not be written into the bar.
  const beside: Io = { ...io, stderr: bar.beside };
  const destination = order.isDry ? await nowhere(beside, family) : await destinationOf(beside, flags, family);
  const file = await PeopleFile.open(io, words[0] ?? '');
  const state = order.isDry
    ? undefined
    : UploadState.open(stateOf(io, flags, words[0] ?? '', destination, order), file);
  const problems = new ProblemList(io, flags.text('problems'));
  const stop = new AbortController();
  const undo = io.onInterrupt(() => stop.abort());
  const say = async (text: string) => {
    if (!order.isQuiet) await beside.stderr.write(`${text}\n`);
  };
  if (state?.rows)
    await say(`Going on after ${grouped(state.rows)} rows that are acknowledged; --restart begins anew.`);
  if (state?.isChanged) await say(`${file.name} is not what it was when its upload began, so it is sent anew.`);
  const show = shower(io, bar, file, order, state?.rows ?? 0);
  try {
    const rows = file.rows(order.format, (unused) => {
      if (unused.length > 0) void say(`Left out: ${unused.length === 1 ? 'column' : 'columns'} ${unused.join(', ')}`);
    });
    const report = await destination.upload(rows, {
      ...order.upload,
      dryRun: order.isDry,
      resume: state?.token,
      sha256: (text) => hash('sha256', text),
      signal: stop.signal,
      onProblem: (problem) => problems.add(file.placeOf(problem)),
      onProgress: (progress) => {
        state?.save(progress);
        file.forgetBefore(progress.acknowledged.rows);
        if (!order.isQuiet) show(progress);
      },
    });
    await bar.end();
    state?.end();
    await finish(io, order, destination, report, problems, stop.signal);
  } catch (error) {
    await bar.end();
    throw await failure(error, stop.signal, state, file);
  } finally {
    undo();
    problems.close();
  }
  if (problems.count > 0) throw problems.error(order.isDry);
}

function readOrder(flags: FlagValues): Order {
  if (flags.on('json') && flags.on('quiet')) throw new UsageError('--json and --quiet cannot be used together');
  const isDry = flags.on('dry-run');
  const of = isDry ? (['wait', 'resume', 'restart'] as const).find((name) => flags.has(name)) : undefined;
  if (of) throw new UsageError(`--${of} is about what is sent, and --dry-run sends nothing`);
  if (flags.on('delete')) {
    const time = ['effective-at', 'expires-at'].find((name) => flags.has(name));
    if (time) throw new UsageError(`--${time} has no effect with --delete; leave it out`);
  }
  const columns = flags.text('columns');
  return {
    format: {
      columns: columns === undefined ? undefined : columnsOfFlag(columns),
      delimiter: delimiterOf(flags.text('delimiter')),
      separator: flags.text('separator') ?? DEFAULT_SEPARATOR,
    },
    isDry,
    isHuman: !flags.on('json'),
    isQuiet: flags.on('quiet'),
    isWaiting: flags.on('wait'),
    upload: {
      operation_type: flags.on('delete') ? 'Delete' : 'Update',
      hashed: flags.on('hashed'),
      effective_at: timeOf(flags, 'effective-at'),
      expires_at: timeOf(flags, 'expires-at'),
    },
  };
}

function delimiterOf(name: string | undefined): string | undefined {
  const found = Object.entries(delimiters).find(([word, sign]) => word === name || sign === name);
  if (name === undefined || found) return found?.[1];
  const words = Object.keys(delimiters);
  throw new UsageError(`--delimiter: ${didYouMean(name, words) ?? `there are ${words.join(', ')}`}`);
}

function timeOf(flags: FlagValues, name: string): string | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  const time = parseTimestamp(text);
  if (time !== undefined) return time;
  throw new UsageError(`--${name} is a time such as 2026-11-01T00:00:00Z, not "${text}"`);
}

/** The file of the state of this upload. Another file, audience or way to read the file is another upload. */
function stateOf(io: Io, flags: FlagValues, word: string, to: Destination, { upload, format }: Order) {
  const { operation_type, hashed } = upload;
  const own = flags.text('resume');
  const file = word === '-' ? undefined : realpathSync(path.resolve(io.cwd, word));
  return {
    env: io.env,
    file: own === undefined ? undefined : path.resolve(io.cwd, own),
    isRestart: flags.on('restart'),
    upload: [file, ...to.name, operation_type, `${hashed}`, JSON.stringify(format)],
  };
}

/** Shows how far an upload is: by the share of the file whose rows are acknowledged. */
function shower(io: Io, bar: ProgressBar, file: PeopleFile, { isDry }: Order, from: number) {
  const began = performance.now();
  return ({ rows, acknowledged }: AudienceUploadProgress) => {
    // Rows that are skipped say nothing yet.
    if (rows <= from || (acknowledged.rows <= from && !isDry && !io.stderr.isTTY)) return;
    const done = isDry ? rows : acknowledged.rows;
    const seconds = (performance.now() - began) / 1000;
    const speed = done > from && seconds >= 1 ? `, ${grouped(Math.round((done - from) / seconds))} a second` : '';
    bar.show({
      done: Math.round(file.read * (done / rows)),
      total: file.size,
      note: `${grouped(done)} ${done === 1 ? 'row' : 'rows'}${speed}`,
    });
  };
}

async function finish(
  io: Io,
  order: Order,
  destination: Destination,
  report: AudienceUploadReport,
  problems: ProblemList,
  signal: AbortSignal,
): Promise<void> {
  let audience = order.isDry ? undefined : await destination.read(signal);
  for (let ms = 500; order.isWaiting && audience && isProcessing(audience); ms = Math.min(ms * 1.5, 30_000)) {
    await (io.sleep ?? sleep)(ms, signal);
    audience = await destination.read(signal);
  }
  const { rows, sent, refused, requests } = report;
  const size = audience && !isProcessing(audience) ? audience.size : null;
  if (order.isQuiet) return;
  if (!order.isHuman) {
    const { targetable, reasons_not_targetable } = audience ?? {};
    const whole = {
      rows,
      sent,
      refused,
      [destination.size_name]: size,
      requests,
      targetable,
      reasons_not_targetable,
      problems: problems.first,
    };
    await io.stdout.write(`${prettyJson(whole)}\n`);
    return;
  }
  const seconds = report.durationMs / 1000;
  const speed = seconds >= 1 ? `, ${grouped(Math.round((rows - report.resumedRows) / seconds))} rows a second` : '';
  const lines: [name: string, value: string][] = [
    ['rows', grouped(rows)],
    [order.isDry ? 'valid' : 'sent', grouped(sent)],
    [order.isDry ? 'not valid' : 'refused', grouped(refused)],
    ['requests', `${grouped(requests)}${order.isDry ? ' would be sent' : ''}`],
    ['time', `${seconds.toFixed(1)} s${speed}`],
    ...(audience ? [['matched', matchedOf(audience)] satisfies [string, string]] : []),
  ];
  await io.stdout.write(pairs(lines, painter(io.stdout, io.env), io.stdout.isTTY ? io.stdout.columns : undefined));
}

const sleep: NonNullable<Io['sleep']> = (ms, signal) => timer(ms, undefined, { signal });

function isProcessing({ reasons_not_targetable }: ListNow): boolean {
  return reasons_not_targetable.includes('PROCESSING');
}

function matchedOf(audience: ListNow): string {
  if (isProcessing(audience)) return 'not known yet; --wait waits until it is';
  return audience.size === null ? 'fewer than 100 people' : `about ${grouped(audience.size)} people`;
}

/** A failure, with what is acknowledged and how to go on. */
async function failure(
  error: unknown,
  signal: AbortSignal,
  state: UploadState | undefined,
  file: PeopleFile,
): Promise<unknown> {
  const { AudienceUploadError } = await import('@broadside/client');
  const ahead = state?.advice(grouped) ?? [];
  if (signal.aborted) return new CliError('interrupted', 'Stopped.', ahead, error);
  if (!(error instanceof AudienceUploadError)) return error;
  const { exit, message, lines } = await reportOf(error.cause);
  // What was sent can be sent again, so there is no need to look first.
  const hints = lines.filter((line) => !line.includes('may have taken effect'));
  const rejected = error.report.problems.filter(({ row }) => row > error.report.rows);
  const places = rejected.map((problem) => placeLine(file.placeOf(problem)));
  return new CliError(exit, message, [...hints, ...places, ...ahead], error);
}
