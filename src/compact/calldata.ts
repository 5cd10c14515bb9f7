/**
 * A result of `l2_getProof` as calls of the path verifiers on L1. A contract binds one path to one root and no more; all
 * else that a proof rests on is given as checks, which are the caller's. Calldata is made of the wire form: the contract
 * hashes the preimages of siblings, which a compact proof does not keep.
 */
import { encodeHex } from '../bytes.js';
import { accountWidth, type TreeSpec } from '../codec/spec.js';
import { blockWidth } from '../hash/family.js';
import { nodeWidths } from '../hash/geometry.js';
import type { ExistenceProof, NonExistenceProof, Path } from '../proof/types.js';
import { runSteps } from '../steps.js';
import type { ProofClaim } from '../verify/claim.js';
import {
  addKey,
  addKeyHash,
  Calls,
  constantBytes,
  constantValue,
  fieldsOf,
  type WireKey,
  type WirePath,
  type WireStatement,
} from './calls.js';
import type { Calldata, CalldataValue } from './checks.js';
import { readingVerified } from './wire.js';

/** Bytes `start` to `end` of the account value that a call hashes. */
const accountField = (call: number, start: number, end: number): CalldataValue => ({
  from: 'bytes',
  call,
  argument: 0,
  element: undefined,
  start,
  end,
  limbs: false,
});

/** Checks of the words of an account. */
function checkAccount(calls: Calls, spec: TreeSpec, call: number): void {
  const { elementsFrom: start } = spec.contract;
  const here = `calls[${call}]`;
  const limit = constantValue(1n << 64n);
  const codeSizeAt = accountWidth - blockWidth;
  calls.below(
    'RANGE',
    accountField(call, 0, blockWidth),
    limit,
    `${here}: the nonce is below 2^64`,
  );
  calls.below(
    'RANGE',
    accountField(call, codeSizeAt, accountWidth),
    limit,
    `${here}: the code size is below 2^64`,
  );
  calls.canonical(
    spec,
    { call, argument: 0, start, end: 4 * blockWidth },
    `${here}: every element of bytes ${start} to ${4 * blockWidth} of the value is below the modulus`,
  );
}

/**
 * The calls that show a statement, and the checks that make them a proof of it. Whether they hold is not looked at: of a
 * false statement a call returns false, or reverts, or a check fails.
 */
export function describeCalls(statement: WireStatement): Calldata {
  const { spec, stateRoot, address, account, slots, isPristine } = statement;
  const calls = new Calls();
  const { signature, argument } = spec.contract.accountKey(address);
  const named = `account ${encodeHex(address)}`;
  const { paths, value } = addKey(calls, spec, account, {
    root: stateRoot,
    hKey: addKeyHash(calls, signature, argument, { of: named, asked: 'the address asked about' }),
    of: named,
    addValue: (bytes) => calls.add('hashAccountValue(bytes)', [bytes], `hValue of ${named}`).call,
  });
  for (const path of paths) {
    const { root } = fieldsOf(spec, path);
    calls.equal(
      'STATE_ROOT',
      root,
      constantBytes(stateRoot),
      `calls[${path}]: the root is the trusted state root`,
    );
  }
  if (value === undefined || account.kind !== 'existence') return frozen(calls, spec);
  checkAccount(calls, spec, value);
  const storageRoot = accountField(value, 2 * blockWidth, 3 * blockWidth);
  if (isPristine) {
    const text = `calls[${value}]: the storage root of the value is that of an empty tree, so that every slot is zero`;
    calls.equal('STORAGE_ROOT', storageRoot, constantBytes(spec.emptyRoot), text);
  }
  const hashWord = 'hashStorageValue(bytes32)';
  for (const { key, proof } of slots) {
    const slot = `slot ${encodeHex(key)}`;
    const own = addKey(calls, spec, proof, {
      root: account.value.subarray(2 * blockWidth, 3 * blockWidth),
      hKey: addKeyHash(calls, hashWord, key, { of: slot, asked: 'the slot asked about' }),
      of: slot,
      addValue: (bytes) => calls.add(hashWord, [bytes], `hValue of ${slot}`).call,
    });
    for (const path of own.paths) {
      const { root } = fieldsOf(spec, path);
      calls.equal(
        'STORAGE_ROOT',
        root,
        storageRoot,
        `calls[${path}]: the root is the storage root in the value of calls[${value}]`,
      );
    }
  }
  return frozen(calls, spec);
}

const frozen = ({ calls, checks }: Calls, spec: TreeSpec): Calldata =>
  Object.freeze({
    hash: spec.hasher.family,
    calls: Object.freeze(calls),
    checks: Object.freeze(checks.map((check) => Object.freeze(check))),
  });

/** The nodes of a path one by one. */
function wirePath(spec: TreeSpec, { leafIndex, nodes, siblingLeafWidth }: Path): WirePath {
  let offset = 0;
  const parts = nodeWidths(spec.widths, siblingLeafWidth).map((width) => {
    offset += width;
    return nodes.subarray(offset - width, offset);
  });
  return { leafIndex, nodes: parts };
}

const wireKey = (spec: TreeSpec, proof: ExistenceProof | NonExistenceProof): WireKey =>
  proof.kind === 'existence'
    ? { kind: 'existence', value: proof.value, path: wirePath(spec, proof.path) }
    : {
        kind: 'nonExistence',
        left: wirePath(spec, proof.left),
        right: wirePath(spec, proof.right),
      };

/**
 * The calls of the path verifiers on L1 that show what a result proves, with the checks that they leave to their caller.
 * A contract that skips one of these can be shown a lie: it must make all of them, with the root from its own storage and the
 * address and keys that it asks about.
 *
 * @param result the `result` member of the JSON-RPC answer, of any type; never changed
 * @param claim what was asked, and the trusted root
 * @returns calls, each once, and checks, both frozen; a slot asked twice has them once, and slots that an absent account or
 *   pristine storage proves zero have none of their own
 * @throws any error of `verifyProof`: only what is verified is converted
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { slotKey } from 'l2proof';
 * import { toCalldata } from 'l2proof/compact';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * const { calls, checks } = toCalldata(result, {
 *   stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a', // from L1
 *   address: '0x6c6553b4934a681a4efe765efb6db43e753aa036',
 *   storageKeys: [slotKey(4), slotKey(5)],
 * });
 * console.log(calls[1]?.signature, calls.length); // verifyProof(bytes[],uint256,bytes32) 10
 * console.log(checks[0]?.text); // calls[0]: the key that is hashed is the address asked about
 * ```
 */
export function toCalldata(result: unknown, claim: ProofClaim): Calldata {
  const {
    claim: checked,
    accountProof,
    account,
    slotProofs,
  } = runSteps(readingVerified(result, claim));
  const { spec, stateRoot, question } = checked;
  return describeCalls({
    spec,
    stateRoot,
    address: question.address,
    account: wireKey(spec, accountProof),
    slots: slotProofs.map((proof) => ({ key: proof.key, proof: wireKey(spec, proof) })),
    isPristine: account !== null && question.storageKeys.length > 0 && slotProofs.length === 0,
  });
}
