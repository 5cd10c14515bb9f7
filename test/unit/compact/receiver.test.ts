/** The receiver of docs/example, compiled, in a node's EVM: it takes what is true, and nothing else. */
import { readFileSync } from 'node:fs';
import { decodeErrorResult, encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileSources } from '../../../build/contracts.js';
import { toCalldata } from '../../../src/compact/index.js';
import type { Hex, ProofClaim } from '../../../src/index.js';
import { type Anvil, accounts, startAnvil } from '../../support/anvil.js';
import { failedChecks } from '../../support/calldata.js';
import { verifierSource } from '../../support/contracts/mimcVerifier.js';
import { honest, type Wire } from '../../support/runs.js';

const abi = parseAbi([
  'struct Path { bytes[] nodes; uint256 leafIndex; }',
  'error Unproven(string check)',
  'error OldBlock(uint256 lastBlock)',
  'error UnknownRoot(uint256 blockNumber)',
  'function set(uint256, bytes32)',
  'function value() view returns (bytes32)',
  'function receiveValue(uint256, Path, bytes, Path, bytes32)',
  'function receiveAbsence(uint256, Path, bytes, Path, Path)',
]);
/** Of each transaction: enough for all paths of a proof. */
const gas = '0x10000000';
const { result, claim } = honest('mimc');
const [present, absent, third] = claim.storageKeys as [Hex, Hex, Hex];

/** It is an EVM that is compiled: one in JavaScript takes a second for each path. */
let node: Anvil;
const deployed: Record<string, Hex> = {};
let code: Record<string, { evm: { bytecode: { object: string } } }>;

/** What a call returns, or how it reverts. Nothing changes. */
async function ask(to: Hex, data: Hex): Promise<{ returned: Hex; isRefused: boolean }> {
  const response = await fetch(node.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'eth_call' },
      params: [{ from: accounts[0], to, data, gas }, 'latest'],
    }),
  });
  const { result: returned, error } = await response.json();
  // 3: it reverted. Everything else is a failure of the node.
  if (error !== undefined) expect(error).toMatchObject({ code: 3 });
  return { returned: returned ?? error.data, isRefused: error !== undefined };
}

/** A transaction, which must succeed. @returns the contract that it made */
async function send(to: Hex | undefined, data: Hex): Promise<Hex> {
  const hash = await node.call('eth_sendTransaction', { from: accounts[0], to, data, gas });
  await node.call('evm_mine');
  const { status, contractAddress } = await node.call('eth_getTransactionReceipt', hash);
  expect(status).toBe('0x1');
  return contractAddress;
}

beforeAll(async () => {
  const compiled = compileSources({
    'Receiver.sol': readFileSync('docs/example/Receiver.sol', 'utf8'),
    'Verifier.sol': verifierSource,
  });
  code = { ...compiled['Receiver.sol'], ...compiled['Verifier.sol'] };
  node = await startAnvil('--hardfork', 'prague', '--gas-limit', String(2 ** 32));
  for (const name of ['Verifier', 'Rollup']) {
    deployed[name] = await send(undefined, `0x${code[name]?.evm.bytecode.object}`);
  }
  const args = [7n, claim.stateRoot] as const;
  const set = encodeFunctionData({ abi, functionName: 'set', args });
  await send(deployed.Rollup, set);
});
afterAll(() => node.close());

/** A receiver of its own. */
async function open(account: Hex = claim.address, slot: Hex = present): Promise<Hex> {
  const args = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'address' }, { type: 'bytes32' }],
    [deployed.Verifier as Hex, deployed.Rollup as Hex, account, slot],
  );
  const object = code.Receiver?.evm.bytecode.object;
  return send(undefined, `0x${object}${args.slice(2)}`);
}

const pathOf = (proof: Wire, index: number) => ({
  nodes: proof.proofRelatedNodes as Hex[],
  leafIndex: BigInt(index),
});

/** Arguments for the slot that exists. */
function valueArgs(of: Wire = result, block = 7n, entry = of.storageProofs[0]) {
  const { accountProof } = of;
  return [
    block,
    pathOf(accountProof.proof, accountProof.leafIndex),
    accountProof.proof.value as Hex,
    pathOf(entry.proof, entry.leafIndex),
    entry.proof.value as Hex,
  ] as const;
}

/** Arguments for the slot that does not. */
function absenceArgs(of: Wire = result, block = 7n) {
  const { accountProof, storageProofs } = of;
  const entry = storageProofs[1];
  return [
    block,
    pathOf(accountProof.proof, accountProof.leafIndex),
    accountProof.proof.value as Hex,
    pathOf(entry.leftProof, entry.leftLeafIndex),
    pathOf(entry.rightProof, entry.rightLeafIndex),
  ] as const;
}

/** @returns the value that it then has, or why it refuses */
async function take(to: Hex, data: Hex): Promise<string> {
  const { returned, isRefused } = await ask(to, data);
  if (!isRefused) {
    await send(to, data);
    return (await ask(to, encodeFunctionData({ abi, functionName: 'value' }))).returned;
  }
  if (returned === '0x') return 'revert';
  const { errorName, args } = decodeErrorResult({ abi, data: returned });
  return errorName === 'Unproven' ? String(args[0]) : errorName;
}

const takeValue = (to: Hex, args: ReturnType<typeof valueArgs>) =>
  take(to, encodeFunctionData({ abi, functionName: 'receiveValue', args }));
const takeAbsence = (to: Hex, args: ReturnType<typeof absenceArgs>) =>
  take(to, encodeFunctionData({ abi, functionName: 'receiveAbsence', args }));

test('it learns a value, and that there is none', async () => {
  const { value } = result.storageProofs[0].proof;
  expect(await takeValue(await open(), valueArgs())).toBe(value);
  const zero = `0x${'00'.repeat(32)}`;
  expect(await takeAbsence(await open(claim.address, absent), absenceArgs())).toBe(zero);
});

test('the verifier says what failedChecks expects of the calls', async () => {
  const calldata = toCalldata(result, claim as ProofClaim);
  const returned: (string | undefined)[] = [];
  for (const { data } of calldata.calls) {
    const outcome = await ask(deployed.Verifier as Hex, data);
    returned.push(outcome.isRefused ? undefined : outcome.returned.slice(2));
  }
  expect(failedChecks(calldata, returned)).toEqual([]);
});

test("another account's, another slot's and an old root's proof are refused", async () => {
  expect(await takeValue(await open(`0x${'22'.repeat(20)}`), valueArgs())).toBe('KEY');
  expect(await takeValue(await open(claim.address, third), valueArgs())).toBe('KEY');
  expect(await takeValue(await open(), valueArgs(result, 7n, result.storageProofs[2]))).toBe('KEY');
  expect(await takeAbsence(await open(), absenceArgs())).toBe('BETWEEN');
  const receiver = await open();
  await takeValue(receiver, valueArgs());
  expect(await takeValue(receiver, valueArgs())).toBe('OldBlock');
  expect(await takeValue(receiver, valueArgs(result, 6n))).toBe('OldBlock');
  expect(await takeValue(receiver, valueArgs(result, 8n))).toBe('UnknownRoot');
  const set = encodeFunctionData({ abi, functionName: 'set', args: [9n, `0x${'0'.repeat(63)}5`] });
  await send(deployed.Rollup, set);
  expect(await takeValue(receiver, valueArgs(result, 9n))).toBe('TOP_NODE');
});

const modulus = 0x12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001n;
const splice = (hex: string, at: number, text: string) =>
  hex.slice(0, 2 + 2 * at) + text + hex.slice(2 + 2 * at + text.length);
const plusModulus = (hex: string, at: number) => {
  const element = BigInt(`0x${hex.slice(2 + 2 * at, 66 + 2 * at)}`);
  return splice(hex, at, (element + modulus).toString(16).padStart(64, '0'));
};

/** Changes of a true answer -> what refuses it. */
const edits: [name: string, edit: (of: Wire) => void, check: RegExp][] = [
  [
    'a sibling',
    ({ accountProof: { proof } }) => {
      const node = proof.proofRelatedNodes[7];
      proof.proofRelatedNodes[7] = splice(node, 63, node.endsWith('1') ? '02' : '01');
    },
    /^PATH$/,
  ],
  [
    'the value of the slot',
    ({ storageProofs }) => {
      storageProofs[0].proof.value = `0x${'33'.repeat(32)}`;
    },
    /^VALUE$/,
  ],
  [
    'the storage root of the account',
    ({ accountProof: { proof } }) => {
      proof.value = splice(proof.value, 95, 'ab');
    },
    /^VALUE$/,
  ],
  [
    'the leaf index',
    ({ storageProofs }) => {
      storageProofs[0].leafIndex += 2;
    },
    /^(PATH|INDEX)$/,
  ],
  [
    'a leaf index beyond the tree',
    ({ storageProofs }) => {
      storageProofs[0].leafIndex += 2 ** 30;
    },
    /^INDEX$/,
  ],
  [
    'the sub-tree root of node 0',
    ({ accountProof: { proof } }) => {
      const node = proof.proofRelatedNodes[0];
      proof.proofRelatedNodes[0] = splice(node, 63, node.endsWith('1') ? '02' : '01');
    },
    /^TOP_NODE$/,
  ],
  [
    'an element + p',
    ({ accountProof: { proof } }) => {
      proof.proofRelatedNodes[9] = plusModulus(proof.proofRelatedNodes[9], 0);
    },
    /^CANONICAL$/,
  ],
  [
    'a storage root + p',
    ({ accountProof: { proof } }) => {
      proof.value = plusModulus(proof.value, 64);
    },
    /^CANONICAL$/,
  ],
  [
    'a nonce of 2^64',
    ({ accountProof: { proof } }) => {
      proof.value = splice(proof.value, 23, '01');
    },
    /^RANGE$/,
  ],
  [
    'a longer value',
    ({ accountProof: { proof } }) => {
      proof.value += '00';
    },
    /^WIDTHS$/,
  ],
  [
    'a leaf as an inner node',
    ({ accountProof: { proof } }) => {
      proof.proofRelatedNodes[39] = proof.proofRelatedNodes[41];
    },
    /^WIDTHS$/,
  ],
  [
    'a node less',
    ({ storageProofs }) => {
      storageProofs[0].proof.proofRelatedNodes.splice(3, 1);
    },
    /^WIDTHS$/,
  ],
];

describe('a false answer is refused', () => {
  test.each(edits)('%s', async (_, edit, check) => {
    const edited = structuredClone(result);
    edit(edited);
    expect(await takeValue(await open(), valueArgs(edited))).toMatch(check);
  });

  test('a neighbour that is none', async () => {
    const edited = structuredClone(result);
    const [, entry] = edited.storageProofs;
    [entry.leftProof, entry.leftLeafIndex] = [entry.rightProof, entry.rightLeafIndex];
    expect(await takeAbsence(await open(claim.address, absent), absenceArgs(edited))).toBe(
      'NEIGHBOURS',
    );
  });

  test('the head of the list in place of the slot', async () => {
    const edited = structuredClone(result);
    const [, entry] = edited.storageProofs;
    const path = { proof: { ...entry.leftProof, value: `0x${'00'.repeat(32)}` } };
    const other = { ...path, leafIndex: entry.leftLeafIndex };
    expect(await takeValue(await open(), valueArgs(edited, 7n, other))).toBe('KEY');
  });
});
