/** The light-client cases of the folders in `CONSENSUS_DIRS`, laid out as `PRESET/FORK/CASE/`. */
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  applyUpdate,
  type BeaconFork,
  type FinalizedHeader,
  type LightClientStore,
  verifyBootstrap,
} from '../../src/beacon/index.js';
import { type Case, readCase } from '../support/beacon/cases.js';
import { type ApiObject, payloadHeaders } from '../support/beacon/ssz.js';
import type { Yaml } from '../support/beacon/yaml.js';
import { toHex } from '../support/hex.js';
import { checkEqual, checkMembers, type JsonObject } from './members.js';
import { foldersOf, type Row } from './run.js';

/** The folders to run: those named, or the default one if it exists. */
export const consensusFolders = (): string[] =>
  foldersOf('CONSENSUS_DIRS', ['../shared/consensus']);

/** What came of the steps of one case. */
interface Outcome {
  readonly steps: number;
  readonly passed: number;
  /** Steps behind a forced one that would move the store: nothing is forced here. */
  readonly skipped: number;
  readonly failure: string | undefined;
}

type Checks = { finalized_header: { slot: string; beacon_root: string; execution_root: string } };

/** Whether the finalized header is the one that the specification has then. */
const isAsExpected = ({ finalized }: LightClientStore, { finalized_header: want }: Checks) =>
  String(finalized.beacon.slot) === want.slot && finalized.blockRoot === want.beacon_root;

function checkStore({ finalized }: LightClientStore, { finalized_header: want }: Checks): void {
  checkEqual(String(finalized.beacon.slot), want.slot, 'finalized slot');
  checkEqual(finalized.blockRoot, want.beacon_root, 'finalized root');
}

/**
 * The hash of the execution block is not in the checks, but the root of the payload that has it is: of a header in an
 * object from before Gloas. A store of Gloas has the hash in its place, even of an older header.
 */
function checkHash(
  { executionBlockHash, beacon }: FinalizedHeader,
  header: ApiObject,
  { fork, want }: { readonly fork: BeaconFork; readonly want: Checks['finalized_header'] },
): void {
  if (fork === 'altair' || fork === 'bellatrix') {
    return checkEqual(executionBlockHash, undefined, `execution hash of slot ${beacon.slot}`);
  }
  const { execution, execution_block_hash: hash } = header;
  if (execution === undefined) return checkEqual(executionBlockHash, hash, 'execution hash');
  // In an object of a later fork the header has members that are not in its root.
  const type = fork === 'capella' ? payloadHeaders.capella : payloadHeaders.deneb;
  const payload = type.fromJson(execution);
  checkEqual(executionBlockHash, toHex(payload.blockHash), 'execution hash');
  if (want.execution_root === executionBlockHash) return;
  checkEqual(toHex(type.hashTreeRoot(payload as never)), want.execution_root, 'execution root');
}

/** One step. @returns what is known then; undefined if the step is forced, and moves what is known */
async function runStep(
  { network, forkAt, update }: Case,
  step: Record<string, Yaml>,
  store: LightClientStore,
): Promise<LightClientStore | undefined> {
  const [[kind, given]] = Object.entries(step) as [[string, JsonObject]];
  const checks = given.checks as unknown as Checks;
  if (kind === 'process_update') {
    const known = ['update_fork_digest', 'update_fork_version'];
    checkMembers(given, ['update', 'current_slot', 'checks'], known, kind);
    const object = update(given.update as string);
    const currentSlot = Number(given.current_slot);
    const next = await applyUpdate(store, object, { network, currentSlot });
    checkStore(next, checks);
    if (next.finalized !== store.finalized) {
      const fork = forkAt(next.finalized.beacon.slot);
      const want = checks.finalized_header;
      checkHash(next.finalized, object.finalized_header, { fork, want });
    }
    return next;
  }
  if (kind === 'force_update') {
    checkMembers(given, ['current_slot', 'checks'], [], kind);
    return isAsExpected(store, checks) ? store : undefined;
  }
  if (kind !== 'upgrade_store') throw new Error(`step "${kind}" is not known to this runner`);
  // What is known here has the same form in all forks.
  checkMembers(given, ['checks'], ['store_fork_version', 'store_fork_digest'], kind);
  checkStore(store, checks);
  return store;
}

/** Runs the steps of a case up to the first that fails. */
export async function runCase(folder: string): Promise<Outcome> {
  let at = 0;
  let steps = 1;
  try {
    const whole = readCase(folder);
    steps = whole.steps.length;
    const { bootstrap, checkpoint, network } = whole;
    let store = verifyBootstrap(bootstrap, { checkpoint, network });
    for (const step of whole.steps) {
      const next = await runStep(whole, step, store);
      if (next === undefined) {
        return { steps, passed: at, skipped: steps - at, failure: undefined };
      }
      store = next;
      at += 1;
    }
    return { steps, passed: at, skipped: 0, failure: undefined };
  } catch (error) {
    return { steps, passed: at, skipped: 0, failure: `step ${at}: ${(error as Error).message}` };
  }
}

const casesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('steps.yaml'))
    .map((name) => join(folder, dirname(name)))
    .sort();

/** Runs all cases; a folder without one fails. */
export async function runConsensus(
  folders: readonly string[],
): Promise<{ rows: Row[]; failures: string[] }> {
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const folder of folders) {
    const cases = casesIn(folder);
    if (cases.length === 0) failures.push(`${folder}: holds no case`);
    for (const path of cases) {
      const kind = dirname(relative(folder, path));
      let row = rows.find((candidate) => candidate.folder === folder && candidate.kind === kind);
      if (!row) {
        row = { folder, kind, files: 0, cases: 0, passed: 0, skipped: 0 };
        rows.push(row);
      }
      const { steps, passed, skipped, failure } = await runCase(path);
      row.files++;
      row.cases += steps;
      row.passed += passed;
      row.skipped += skipped;
      if (failure !== undefined) failures.push(`${path}: ${failure}`);
    }
  }
  return { rows, failures };
}
