/** The flags of the commands of a bridge: messages from L2 to L1, and calldata of the path verifiers on L1. */
import { parseAddress } from './claimValues.js';
import { maxBlocks, readWholeNumber } from './common.js';
import type { Flags } from './flag.js';
import { historySource, readHashArgument } from './historyFlags.js';
import { compactFlags } from './verifyFlags.js';

/** @throws UsageError */
export const readMessageHash = (text: string): `0x${string}` =>
  readHashArgument(text, {
    name: 'HASH',
    whose: 'that of the message, or of the transaction that sent it',
  });

export const messageFlags = {
  from: {
    argument: 'BLOCK',
    read: readWholeNumber,
    help: 'the first L2 block that the message may be in; default as far back as --max-blocks allows',
  },
  to: {
    argument: 'BLOCK',
    read: readWholeNumber,
    help: 'the last one; default the newest. With both it can be proven that there is no such message',
  },
  calldata: {
    group: 'output',
    help: 'print the call data that claim the message on L1, alone',
  },
  'fee-recipient': {
    argument: 'ADDRESS',
    read: parseAddress,
    help: 'who gets the fee on L1; default whoever claims',
  },
  ...historySource,
  'max-blocks': {
    ...maxBlocks,
    default: '100000',
    help: 'most L2 blocks that are looked through',
  },
  json: {
    group: 'output',
    help: 'print what is known as JSON, with the proof if there is one; numbers as decimal strings',
  },
} as const satisfies Flags;

const { out: _, ...claim } = compactFlags;

export const calldataFlags = {
  ...claim,
  json: { group: 'output', help: 'print calls and checks as JSON; numbers as decimal strings' },
} as const satisfies Flags;
