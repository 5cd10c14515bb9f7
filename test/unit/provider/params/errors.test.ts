/** Which code a reason has: what was refused, what could not be found out, and what cannot be proven. */
import { expect, test } from 'vitest';
import { AnchorError, type AnchorErrorCode } from '../../../../src/anchor/index.js';
import { ShapeError, VerificationError } from '../../../../src/errors.js';
import { EvmError, type EvmErrorCode } from '../../../../src/evm/call/errors.js';
import { HistoryError, type HistoryErrorCode } from '../../../../src/history/index.js';
import { Mismatch, notPassed, notVerified } from '../../../../src/provider/params/errors.js';
import { RpcError, type RpcErrorCode } from '../../../../src/rpc/index.js';

const anchors: Record<AnchorErrorCode, number> = {
  BAD_ANSWER: -31001,
  BAD_PROOF: -31001,
  UNKNOWN_HEADER_FIELD: -31001,
  WRONG_NETWORK: -31001,
  WRONG_IMPLEMENTATION: -31001,
  WRONG_FAMILY: -31001,
  DISAGREEMENT: -31001,
  PROOF_WINDOW: -31002,
  L1_BLOCK_NOT_HELD: -31002,
  STALE: -31002,
  NOT_PROVABLE: -31003,
  NO_STATE_ROOT: -31003,
  MISSING_PEER: -31003,
};
const calls: EvmErrorCode[] = [
  ...(['HEADER_VALUE', 'BLOCK_HASH', 'FORK', 'FORK_UNKNOWN', 'TOO_MANY_READS'] as const),
  ...(['TOO_MANY_ROUNDS', 'TOO_MUCH_WORK', 'UNSUPPORTED', 'MISSING_PEER', 'ENGINE'] as const),
];
const endpoints: RpcErrorCode[] = [
  ...(['TIMEOUT', 'NETWORK', 'HTTP_STATUS', 'TOO_LARGE', 'NOT_JSON', 'BAD_ENVELOPE'] as const),
  ...(['WRONG_ID', 'SERVER_ERROR', 'RATE_LIMITED', 'UNAUTHORIZED', 'BLOCK_NOT_HELD'] as const),
  'BAD_PARTS',
];

const blocks: Record<HistoryErrorCode, number> = {
  BAD_ANSWER: -31001,
  WRONG_HEADER: -31001,
  WRONG_RECEIPTS: -31001,
  WRONG_TRANSACTIONS: -31001,
  WRONG_WITHDRAWALS: -31001,
  UNKNOWN_HEADER_FIELD: -31001,
  BLOCK_HELD_BACK: -31002,
  TOO_NEW: -31002,
  UNKNOWN_TYPE: -31003,
  HAS_UNCLES: -31003,
  NOT_PROVEN: -31003,
  TOO_OLD: -31003,
  NO_BLOCK_HASHES: -31003,
  RANGE_TOO_WIDE: -31003,
  TOO_MANY_LOGS: -31003,
  MISSING_PEER: -31003,
};

test.each<[unknown, number, string]>([
  ...Object.entries(blocks).map(([reason, code]): [unknown, number, string] => [
    new HistoryError(reason as HistoryErrorCode, 'x'),
    code,
    reason,
  ]),
  ...Object.entries(anchors).map(([reason, code]): [unknown, number, string] => [
    new AnchorError(reason as AnchorErrorCode, 'x'),
    code,
    reason,
  ]),
  ...calls.map((reason): [unknown, number, string] => [new EvmError(reason, 'x'), -31003, reason]),
  ...endpoints.map((reason): [unknown, number, string] => [
    new RpcError(reason, 'eth_call', 'x'),
    -31002,
    reason,
  ]),
  [new VerificationError('ROOT_MISMATCH', 'p', 'x'), -31001, 'ROOT_MISMATCH'],
  // The hash family of a proof, as that of a root.
  [new VerificationError('WRONG_FAMILY', 'p', 'x'), -31001, 'WRONG_FAMILY'],
  [new ShapeError('p', 'x'), -31001, 'MALFORMED'],
  [new Mismatch('CODE_MISMATCH', 'x'), -31001, 'CODE_MISMATCH'],
  [new Mismatch('HASH_MISMATCH', 'x'), -31001, 'HASH_MISMATCH'],
  [new TypeError('x'), -31002, 'FAILED'],
  [undefined, -31002, 'FAILED'],
])('%s is %i', (error, code, reason) => {
  const found = notVerified('eth_call', error, 7);
  expect(found).toMatchObject({ code, data: { reason, block: 7, legacyCode: -32001 } });
});

test('what was passed on has the codes it had, unless the answer itself was refused', () => {
  const passed = notPassed('eth_gasPrice', new RpcError('TIMEOUT', 'eth_gasPrice', 'x'));
  expect(passed.code).toBe(-32002);
  expect(passed.data).not.toHaveProperty('legacyCode');
  const sent = notPassed('eth_sendRawTransaction', new Mismatch('HASH_MISMATCH', 'x'));
  expect(sent).toMatchObject({ code: -31001, data: { legacyCode: -32001 } });
});
