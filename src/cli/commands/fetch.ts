/** `l2proof fetch`: an account and its slots, proven from two endpoints. */
import { writeFile } from 'node:fs/promises';
import type { FetchedState, StateOptions } from '../../anchor/index.js';
import { stateToJson, type VerifiedState } from '../../index.js';
import { loadPeer } from '../../peer.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { writeError } from '../exit/fileErrors.js';
import { readArgs } from '../flags/args.js';
import { fetchFlags } from '../flags/askFlags.js';
import { anchorsOf, fetchFailure, readEndpoints, readNetwork } from '../flags/endpoints.js';
import { openTrust, readTrust } from '../flags/trust.js';
import { anchorTable, anchorToJson, quote, stateTable } from '../print/print.js';
import type { Result } from '../print/result.js';
import { headerVectorFile, vectorFile } from '../print/vectorFile.js';

const loadAnchors = () =>
  loadPeer(anchorsOf('fetching'), '@ethereumjs/rlp', import('../../anchor/index.js'));

function parseRequest(args: readonly string[]) {
  const { values, given } = readArgs(args, fetchFlags, 0);
  const { address, slot, save } = values;
  const { l2, l1, network } = readEndpoints(values);
  const trust = readTrust(values, given);
  return { network, save, trust, options: { address, storageKeys: slot, l2, l1 } };
}

/** @throws CliError malformed: members that no rule names are not looked at, and may nest without end */
function vectorText({ anchor, state, result }: FetchedState): string {
  try {
    return anchor.kind === 'header'
      ? headerVectorFile(anchor, state as VerifiedState<'header'>, result)
      : vectorFile(anchor, state as VerifiedState, result);
  } catch (cause) {
    const text = 'malformed answer: it nests too deep to be saved; ask another L2 server';
    throw new CliError(exitCodes.malformed, text, { code: 'MALFORMED', cause });
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

/**
 * Runs the command.
 *
 * @returns what was proven and where the root came from
 * @throws CliError
 */
export async function runFetch(args: readonly string[]): Promise<Result> {
  const { network: name, save: file, ...given } = parseRequest(args);
  const library = await loadAnchors();
  const named = await readNetwork(library, name);
  const trust = await openTrust(given.trust, named);
  const { network } = named;
  const request: StateOptions = { ...given.options, network, ...trust };
  const fetched = await library.fetchState(request).catch((cause) => {
    throw fetchFailure(cause);
  });
  if (file !== undefined) await save(file, fetched);
  const { anchor, state } = fetched;
  return {
    text: `verified\n${stateTable(state)}\n${anchorTable(anchor)}`,
    value: {
      anchor: anchorToJson(anchor),
      state: stateToJson(state),
    },
  };
}
