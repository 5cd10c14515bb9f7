/** `l2proof fetch`: an account and its slots, proven from two endpoints. */
import { writeFile } from 'node:fs/promises';
import type { AnchorError, AnchoredRoot, FetchedState, StateOptions } from '../anchor/index.js';
import { type Hex, ShapeError, stateToJson, VerificationError } from '../index.js';
import { loadPeer } from '../peer.js';
import { RpcError } from '../rpc/index.js';
import { asUsage, flag, many, option, readArgs } from './args.js';
import { anchorsOf, endpointOptions, readEndpoints, readNetwork } from './endpoints.js';
import { CliError, exitCodes, UsageError } from './exit.js';
import { writeError } from './fileErrors.js';
import { anchorTable, quote, stateTable } from './print.js';
import { vectorFile } from './vectorFile.js';

const loadAnchors = () =>
  loadPeer(anchorsOf('fetching'), '@ethereumjs/rlp', import('../anchor/index.js'));

/** Names of the library's options -> options of the command. */
const names = {
  address: '--address',
  storageKeys: '--slot',
  'trusted.blockHash': '--l1-block-hash',
  l1: '--l1',
};

function parseRequest(args: readonly string[]) {
  const { values } = readArgs(
    args,
    {
      address: option,
      slot: many,
      ...endpointOptions,
      'l1-block-hash': option,
      save: option,
      json: flag,
    },
    0,
  );
  const { address, slot = [], save, json = false, 'l1-block-hash': blockHash } = values;
  if (address === undefined) throw new UsageError('--address is required: the account to read');
  const { l2, l1, network } = readEndpoints(values);
  return {
    network,
    save,
    json,
    options: {
      address: address as Hex,
      storageKeys: slot as Hex[],
      l2,
      l1,
      ...(blockHash !== undefined && { trusted: { blockHash: blockHash as Hex } }),
    },
  };
}

type Anchors = Awaited<ReturnType<typeof loadAnchors>>;

/** Codes of malformed answers; all other RpcErrors mean that no server answered. */
const malformedRpc = ['NOT_JSON', 'BAD_ENVELOPE', 'WRONG_ID', 'TOO_LARGE', 'BAD_PARTS'];

/** Codes of an AnchorError that mean "could not find out", as opposed to something wrong. */
const unknownAnchor = [
  'PROOF_WINDOW',
  'L1_BLOCK_NOT_HELD',
  'STALE',
  'NOT_PROVABLE',
  'NO_STATE_ROOT',
];

const exitCodeOfAnchor = ({ code }: AnchorError): number => {
  if (code === 'BAD_ANSWER') return exitCodes.malformed;
  return unknownAnchor.includes(code) ? exitCodes.unknown : exitCodes.notVerified;
};

/** What ended the fetch of something proven, for the user. */
export function fetchFailure(cause: unknown, AnchorErrorClass: Anchors['AnchorError']): unknown {
  const fail = (exitCode: number, text: string) => new CliError(exitCode, text, { cause });
  if (cause instanceof VerificationError) {
    const text = `not verified: ${cause.message}; distrust the L2 server`;
    return fail(exitCodes.notVerified, text);
  }
  if (cause instanceof ShapeError) {
    return fail(exitCodes.malformed, `malformed answer: ${cause.message}; ask another L2 server`);
  }
  if (cause instanceof AnchorErrorClass) {
    return fail(exitCodeOfAnchor(cause), `no trusted root: ${cause.message}`);
  }
  if (cause instanceof RpcError) {
    const isMalformed = malformedRpc.includes(cause.code);
    return fail(isMalformed ? exitCodes.malformed : exitCodes.unknown, cause.message);
  }
  return asUsage(names, cause);
}

/** @throws CliError malformed: members that no rule names are not looked at, and may nest without end */
function vectorText({ anchor, state, result }: FetchedState): string {
  try {
    return vectorFile(anchor, state, result);
  } catch (cause) {
    const text = 'malformed answer: it nests too deep to be saved; ask another L2 server';
    throw new CliError(exitCodes.malformed, text, { cause });
  }
}

async function save(file: string, fetched: FetchedState): Promise<void> {
  const text = vectorText(fetched);
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw writeError(quote(file), cause);
  }
}

/** An anchor for JSON: times are decimal digits. */
function anchorToJson({ timestamp, l1, ...anchor }: AnchoredRoot) {
  const { timestamp: l1Time, ...block } = l1;
  return {
    ...anchor,
    ...(timestamp && { timestamp: { ...timestamp, value: String(timestamp.value) } }),
    l1: { ...block, ...(l1Time !== undefined && { timestamp: String(l1Time) }) },
  };
}

/**
 * Runs the command.
 *
 * @returns what was proven and where the root came from, to print
 * @throws CliError
 */
export async function runFetch(args: readonly string[]): Promise<string> {
  const { network: name, save: file, json, options } = parseRequest(args);
  const library = await loadAnchors();
  const network = await readNetwork(library, name);
  const request: StateOptions = { ...options, network };
  const fetched = await library.fetchState(request).catch((cause) => {
    throw fetchFailure(cause, library.AnchorError);
  });
  if (file !== undefined) await save(file, fetched);
  const { anchor, state } = fetched;
  if (json) {
    return JSON.stringify({ anchor: anchorToJson(anchor), state: stateToJson(state) }, null, 2);
  }
  return `verified\n${stateTable(state)}\n${anchorTable(anchor)}`;
}
