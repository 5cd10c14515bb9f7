/** The options of `createMessages`, checked before any request is sent. */
import { type AnchorOptions, defineNetwork, type Network } from '../anchor/index.js';
import { checkAnchorOptions } from '../anchor/options.js';
import type { Hex } from '../bytes.js';
import { shown, wrongRange, wrongType } from '../errors.js';
import { ownOptions } from '../foreign/argument.js';
import type { Transport } from '../rpc/index.js';

/** Options of {@link createMessages}. Nobody but these transports is asked. */
export interface MessagesOptions
  extends Pick<AnchorOptions, 'l1' | 'trusted' | 'l1Block' | 'maxAge'> {
  /** The L2 node, which needs no trust: it answers logs, and for proven ones blocks, receipts and proofs. */
  readonly l2: Transport;
  /** The rollup network; its `messageService` must be known. */
  readonly network: Network;
  /** Most L2 blocks that one question looks through; default 100,000, two days or so. */
  readonly maxBlocks?: number | undefined;
}

/** The same, checked. */
export interface MessagesParts {
  readonly l2: Transport;
  readonly network: Network;
  /** The contract that sends messages, 20 bytes. */
  readonly service: Hex;
  readonly maxBlocks: number;
  /** How L1 is asked. */
  readonly l1Options: Pick<AnchorOptions, 'l1' | 'network' | 'trusted' | 'l1Block' | 'maxAge'>;
}

const l1Names = ['l1', 'network', 'trusted', 'l1Block', 'maxAge'] as const;
const strengthening = ['trusted', 'l1Block', 'maxAge'] as const;

/** @throws TypeError or RangeError that names the option */
export function checkMessagesOptions(options: MessagesOptions): MessagesParts {
  const names = [...l1Names, 'l2', 'maxBlocks'] as const;
  const { l2, maxBlocks = 100_000, ...l1 } = ownOptions(options, names, 'options', strengthening);
  if (typeof l2?.call !== 'function') throw wrongType('l2', 'expected a transport');
  const network = defineNetwork(l1.network);
  if (network.messageService === undefined) {
    throw wrongRange('network.messageService', 'expected the contract on L2 that sends messages');
  }
  if (typeof maxBlocks !== 'number') {
    throw wrongType('maxBlocks', `expected a number, got ${shown(maxBlocks)}`);
  }
  if (!Number.isSafeInteger(maxBlocks) || maxBlocks < 1) {
    throw wrongRange('maxBlocks', 'expected a whole number from 1');
  }
  const l1Options = { ...l1, network };
  checkAnchorOptions(l1Options);
  return { l2, network, service: network.messageService, maxBlocks, l1Options };
}
