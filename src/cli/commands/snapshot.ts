/** `l2proof snapshot`: the state of a store in one file, and back. */
import { mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ConsensusEvidence } from '../../anchor/index.js';
import { folderScratch } from '../../lmdb/index.js';
import {
  type BulkWork,
  exportSnapshot,
  importSnapshot,
  readSnapshotClaim,
  type SnapshotSummary,
  TreeError,
  verifySnapshot,
} from '../../tree/index.js';
import { CliError, exitCodes, UsageError } from '../exit/exit.js';
import { writeError } from '../exit/fileErrors.js';
import { asUsage, readArgs, unknownChoice } from '../flags/args.js';
import { checkFlags, exportFlags, importFlags, infoFlags } from '../flags/feedFlags.js';
import { openInput } from '../input/input.js';
import { onSignal } from '../listen/listen.js';
import { evidenceText } from '../print/evidence.js';
import { quote } from '../print/print.js';
import { type Phases, showStages, startProgress } from '../print/progress.js';
import { countText, type Result } from '../print/result.js';
import { snapshotLines } from '../print/snapshotText.js';
import { withStore } from '../store/openStore.js';
import { type CheckValues, readChecks } from './snapshotChecks.js';

/** What the library calls its options -> what the user does. */
const names = {
  stateRoot: '--root',
  block: '--block',
  blockHash: '--block-hash',
  chainId: '--chain-id',
  'trusted.blockHash': '--l1-block-hash',
  l1: '--l1',
};

/** What the stages of reading a file are to the user. */
const readPhases = {
  read: 'reading',
  build: 'checking the order of keys',
  write: 'writing the state',
};

/** Shows how far the work is until it is done or a signal comes. @throws CliError */
async function watched<T>(phases: Phases, work: (watch: BulkWork) => Promise<T>): Promise<T> {
  const code = exitCodes.usage;
  const reason = new CliError(code, 'stopped by a signal', { code: 'STOPPED' });
  const ending = onSignal({ reason, code });
  const progress = startProgress();
  try {
    return await work({ signal: ending.signal, onProgress: showStages(progress, phases) });
  } catch (cause) {
    throw asUsage(names, cause);
  } finally {
    progress.stop();
    ending.stop();
  }
}

/** The error of writing chunks: that of making them, as it is, or of the place that they go to. */
const writeFailure = (name: string, cause: unknown): unknown =>
  cause instanceof TreeError || cause instanceof CliError ? cause : writeError(name, cause);

/** Writes a file that is there only once it is whole. @throws CliError */
async function writeWhole(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const part = `${file}.part`;
  let isOurs = false;
  try {
    // In place of a device or a pipe there would be a file afterwards.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new UsageError(`--out ${quote(file)} is no file; give another name, or -`);
    // Opened before the first chunk is asked for: a stream that opens by itself may do so behind the removal below.
    const handle = await open(part, 'w');
    isOurs = true;
    await pipeline(chunks, handle.createWriteStream({ flush: true }));
    renameSync(part, file);
  } catch (cause) {
    if (isOurs) rmSync(part, { force: true });
    throw writeFailure(quote(file), cause);
  }
}

/** Writes to standard output, which stays open. @throws CliError */
async function writeOut(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(chunks, process.stdout, { end: false });
  } catch (cause) {
    throw writeFailure('standard output', cause);
  }
}

/** Passes bytes on, counts them, and keeps the first piece. */
function counted(pieces: AsyncIterable<Uint8Array>) {
  const found = { bytes: 0, first: new Uint8Array(0) };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      if (found.bytes === 0) found.first = new Uint8Array(piece);
      found.bytes += piece.length;
      yield piece;
    }
  }
  return { chunks: chunks(), found };
}

async function runExport(args: readonly string[]): Promise<Result | undefined> {
  const { values } = readArgs(args, exportFlags, 0);
  if (values.json && values.out === '-') {
    throw new UsageError('--json needs --out FILE: standard output holds the snapshot');
  }
  const { store: path, out, hash, block, 'chain-id': chainId } = values;
  const options = { hash, block, chainId };
  const { bytes, claim } = await watched({ read: 'counting', write: 'writing the file' }, (watch) =>
    withStore(path, { readOnly: true }, async (store) => {
      const { chunks, found } = counted(exportSnapshot({ store, ...options, ...watch }));
      if (out === '-') await writeOut(chunks);
      else await writeWhole(out, chunks);
      // The first piece is the first chunk of the file, which is whole.
      return { bytes: found.bytes, claim: await readSnapshotClaim([found.first]) };
    }),
  );
  if (out === '-') return undefined;
  const lines = [
    `exported to ${quote(out)}`,
    `accounts    ${claim.accounts}`,
    ...snapshotLines(claim, { bytes }),
  ];
  return { text: lines.join('\n'), value: { file: out, ...claim, bytes } };
}

/** What a snapshot was found to be. */
function summaryOf(
  did: string,
  found: SnapshotSummary,
  {
    values,
    bytes,
    evidence,
  }: { values: CheckValues; bytes: number; evidence: ConsensusEvidence | undefined },
): Result {
  const { accounts, slots } = found;
  const given = {
    block: values.block ?? values.network,
    blockHash: values['block-hash'],
    chainId: values['chain-id'] ?? values.network,
  };
  const names = ['block', 'blockHash', 'chainId'] as const;
  const claimed = names.filter((name) => found[name] !== undefined && given[name] === undefined);
  const lines = [
    `${did} ${countText(accounts, 'account')} and ${countText(slots, 'slot')}`,
    ...snapshotLines(found, { bytes, claimed }),
    ...(evidence ? [`under       ${evidenceText(evidence)}`] : []),
  ];
  const consensus = evidence && { consensus: evidence };
  return { text: lines.join('\n'), value: { ...found, claimed, ...consensus, bytes } };
}

async function runVerify(args: readonly string[]): Promise<Result> {
  const { values, given, file } = readArgs(args, checkFlags, 1);
  const { checks, evidence } = await readChecks({ values, given, file });
  const { chunks, found: read } = counted((await openInput(file)).chunks);
  const found = await watched(readPhases, async (watch) => {
    // Made here, where a signal is waited for: one before would end the process and leave the folder.
    const scratch = folderScratch(mkdtempSync(join(tmpdir(), 'l2proof-snapshot-')));
    try {
      return await verifySnapshot(chunks, { ...checks, ...watch, scratch });
    } finally {
      await scratch.close();
    }
  });
  return summaryOf('verified', found, { values, bytes: read.bytes, evidence: evidence() });
}

async function runImport(args: readonly string[]): Promise<Result> {
  const { values, given, file } = readArgs(args, importFlags, 1);
  const { store: path } = values;
  const { checks, evidence } = await readChecks({ values, given, file });
  const { chunks, found: read } = counted((await openInput(file)).chunks);
  const found = await watched(readPhases, (watch) =>
    withStore(path, {}, (store) => importSnapshot(chunks, { ...checks, ...watch, store })),
  );
  return summaryOf('imported', found, { values, bytes: read.bytes, evidence: evidence() });
}

async function runInfo(args: readonly string[]): Promise<Result> {
  const { file } = readArgs(args, infoFlags, 1);
  const { name, chunks, stat } = await openInput(file);
  const claim = await readSnapshotClaim(chunks);
  const bytes = stat && Number(stat.size);
  const lines = [
    `not verified: this is what ${quote(name)} claims`,
    `accounts    ${claim.accounts}, ${claim.trees} of them with storage`,
    `family      ${claim.hash}`,
    ...snapshotLines(claim, { bytes }),
    'l2proof snapshot verify holds it against a state root that you trust',
  ];
  return { text: lines.join('\n'), value: { verified: false, claims: claim, bytes } };
}

const actions = { export: runExport, info: runInfo, verify: runVerify, import: runImport };

/** Runs `l2proof snapshot`. @returns nothing if standard output holds the snapshot @throws CliError */
export async function runSnapshot([action = '', ...args]: readonly string[]): Promise<
  Result | undefined
> {
  if (Object.hasOwn(actions, action)) return actions[action as keyof typeof actions](args);
  throw unknownChoice('snapshot', action, Object.keys(actions));
}
