/** Kind `accountProof`: an answer to `eth_getProof`, under the header of a block whose hash is trusted. */
import { verifyAccountProof, verifyL2Header } from '../../src/anchor/index.js';
import { type Hex, stateToJson } from '../../src/index.js';
import type { Case, VectorFile } from './kinds.js';
import { checkEqual, checkMembers, type JsonObject } from './members.js';

/** The one case of a file: what holds under its hash is what it says. */
export function accountProofCases({ json }: VectorFile): Case[] {
  const members = ['kind', 'source', 'blockHash', 'header', 'expect', 'result'];
  checkMembers(json, members, ['note'], 'file');
  const { valid, requestedSlots, account, storage, ...more } = json.expect as JsonObject;
  checkMembers(more, [], [], 'expect');
  checkEqual(valid, true, 'valid');
  const { address, status, ...values } = account as JsonObject;
  const header = json.header as { number: string };
  return [
    {
      name: 'accountProof',
      run() {
        const block = { blockHash: json.blockHash as Hex, l2BlockNumber: Number(header.number) };
        const { stateRoot } = verifyL2Header(header, block);
        const state = stateToJson(
          verifyAccountProof(json.result, {
            ...{ stateRoot, address: address as Hex, storageKeys: requestedSlots as Hex[] },
          }),
        );
        checkEqual(state.account === null ? 'absent' : 'present', status, 'status');
        checkEqual(state.account ?? {}, values, 'account');
        checkEqual(state.storage, storage, 'storage');
      },
    },
  ];
}
