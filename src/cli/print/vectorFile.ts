/** A vector file of a verified answer: what `npm run vectors` runs, and `l2proof verify` reads. */
import type { AnchoredRoot, HeaderAnchor } from '../../anchor/index.js';
import {
  type AccountProof,
  type HashFamily,
  type Hex,
  hashKey,
  parseProof,
  type SlotProof,
  stateToJson,
  type VerifiedState,
} from '../../index.js';

/** Families as vector files name them. */
const names: Readonly<Record<HashFamily, string>> = {
  poseidon2: 'poseidon2-koalabear',
  mimc: 'mimc-bls12-377',
};

const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

/** Where the leaves of a key lie, and what they hold. */
function leavesOf(proof: AccountProof | SlotProof, key: Hex, hash: HashFamily) {
  const hKey = hashKey(key, { hash });
  if (proof.kind === 'nonExistence') {
    const { left, right } = proof;
    return {
      status: 'absent',
      hKey,
      nextFreeNode: Number(left.top.nextFreeNode),
      leftLeafIndex: Number(left.leafIndex),
      rightLeafIndex: Number(right.leafIndex),
    };
  }
  const { top, leaf, leafIndex } = proof.path;
  return {
    status: 'present',
    hKey,
    hVal: toHex(leaf.hValue),
    leafIndex: Number(leafIndex),
    nextFreeNode: Number(top.nextFreeNode),
  };
}

/** Where the answer came from, in words. */
const noteOf = ({ l1, l2BlockNumber, l2ChainId, how, kind }: AnchoredRoot): string => {
  const what = kind === 'header' ? 'block hash' : 'root';
  return `block ${l2BlockNumber} of chain ${l2ChainId}; ${what} by ${how} at block ${l1.blockNumber} (${l1.blockHash}) of chain ${l1.chainId}`;
};

const fileOf = (file: object): string => `${JSON.stringify(file, null, 1)}\n`;

/** Of an answer to `l2_getProof`. @param result that verified to `state` */
export function vectorFile(anchor: AnchoredRoot, state: VerifiedState, result: unknown): string {
  const { stateRoot, address, hash, storage } = state;
  const { accountProof, storageProofs } = parseProof(result, { hash });
  const { account } = stateToJson(state);
  const answered = storageProofs.flatMap((proof) => {
    if (proof === null) return [];
    const key = toHex(proof.key);
    const value = proof.kind === 'existence' ? { value: toHex(proof.value) } : {};
    return [{ key, ...leavesOf(proof, key, hash), ...value }];
  });
  return fileOf({
    kind: 'getProof',
    source: 'fetched',
    hash: names[hash],
    stateRoot,
    note: noteOf(anchor),
    expect: {
      valid: true,
      requestedSlots: storage.map(({ key }) => key),
      account: { address, ...leavesOf(accountProof, address, hash), ...account },
      storage: answered,
    },
    result,
  });
}

/** Of an answer to `eth_getProof`, with the header that it holds under. @param result that verified to `state` */
export function headerVectorFile(
  { blockHash, header, ...anchor }: HeaderAnchor,
  state: VerifiedState<'header'>,
  result: unknown,
): string {
  const { address, account, storage } = stateToJson(state);
  return fileOf({
    kind: 'accountProof',
    source: 'fetched',
    blockHash,
    note: noteOf({ blockHash, header, ...anchor }),
    header,
    expect: {
      valid: true,
      requestedSlots: storage.map(({ key }) => key),
      account: { address, status: account === null ? 'absent' : 'present', ...account },
      storage,
    },
    result,
  });
}
