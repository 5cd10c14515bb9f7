/** The block as a contract sees it: values that are known, and a refusal for all others. */
import type { EVMMockBlockchainInterface, EVMRunCallOpts } from '@ethereumjs/evm';
import type { Address } from '@ethereumjs/util';
import { encodeHex, type Hex, integerToBytes } from '../../bytes.js';
import { checkHex } from '../../foreign/argument.js';
import { type Environment, type HeaderName, headerValues } from '../call/call.js';
import { EvmError } from '../call/errors.js';
import { type KnownState, RunStopped } from './knownState.js';

/** The contract of EIP-2935, whose storage holds the hashes of the blocks before; and how many. */
const historyContract: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935';
const historyLength = 8191;

interface HeaderOptions {
  readonly environment: Environment;
  readonly knowledge: KnownState;
  /** Makes an address of 20 bytes. */
  readonly toAddress: (bytes: Uint8Array) => Address;
}

/** The names of opcodes, for messages. */
const opcodes: Record<HeaderName, string> = {
  coinbase: 'COINBASE',
  prevRandao: 'PREVRANDAO',
  timestamp: 'TIMESTAMP',
  number: 'NUMBER',
  gasLimit: 'GASLIMIT',
  baseFee: 'BASEFEE',
  blobBaseFee: 'BLOBBASEFEE',
};

type Block = NonNullable<EVMRunCallOpts['block']>;

/** The part of it that opcodes and precompiled contracts ask. */
export interface OpcodeHeader {
  /** Ends the run. A contract cannot catch it: it is remembered. @throws RunStopped */
  refuse(error: Error): never;
  /** The gas price that the sender pays. @throws RunStopped */
  gasPrice(): bigint;
}

export interface EngineHeader extends OpcodeHeader {
  readonly block: Block;
  readonly blockchain: EVMMockBlockchainInterface;
  /** Unproven values that were read. */
  readonly assumed: ReadonlySet<string>;
  /** The same, of all runs. */
  readonly everAssumed: ReadonlySet<string>;
  /** Why the run has no result; the first refusal. */
  readonly refusal: Error | undefined;
  /** Begins a run. @param gasPrice undefined: it depends on the base fee, which is not known */
  begin(gasPrice: bigint | undefined): void;
}

interface HeaderReader extends Pick<HeaderOptions, 'toAddress'> {
  readonly read: <N extends HeaderName>(name: N) => NonNullable<Environment['proven'][N]>;
  readonly number: () => bigint;
}

/** The header as opcodes ask it. */
function toBlock({ read, number, toAddress }: HeaderReader): Block {
  const header = {
    get number() {
      return number();
    },
    get coinbase() {
      return toAddress(checkHex(read('coinbase'), 20, 'coinbase'));
    },
    get timestamp() {
      return read('timestamp');
    },
    get difficulty() {
      return BigInt(read('prevRandao'));
    },
    get prevRandao() {
      return checkHex(read('prevRandao'), 32, 'prevRandao');
    },
    get gasLimit() {
      return read('gasLimit');
    },
    get baseFeePerGas() {
      return read('baseFee');
    },
    getBlobGasPrice: () => read('blobBaseFee'),
  };
  return { header } as unknown as Block;
}

export function createEngineHeader({
  environment,
  knowledge,
  toAddress,
}: HeaderOptions): EngineHeader {
  const { number } = environment;
  const proven = headerValues(environment.proven);
  const assumed = headerValues(environment.assumed);
  const used = new Set<string>();
  const everUsed = new Set<string>();
  let refusal: Error | undefined;
  let price: bigint | undefined;

  function assume(name: string): void {
    used.add(name);
    everUsed.add(name);
  }

  function refuse(error: Error): never {
    refusal ??= error;
    throw new RunStopped();
  }

  function read<N extends HeaderName>(name: N): NonNullable<Environment['proven'][N]> {
    const claimed = assumed[name];
    if (claimed !== undefined) {
      assume(name);
      return claimed;
    }
    const known = proven[name];
    if (known !== undefined) return known;
    const text = `the contract asked for ${opcodes[name]}, which is not proven; supply it as header: { ${name} }`;
    return refuse(new EvmError('HEADER_VALUE', text));
  }

  const blockNumber = (): bigint => {
    if (assumed.number === undefined) return BigInt(number);
    return read('number');
  };

  /** The hash of an earlier block that the EVM has found to be near enough. */
  function hashOf(block: number): Uint8Array {
    const isHeld = block < number && block >= number - historyLength;
    const key = encodeHex(integerToBytes(BigInt(block % historyLength), 32));
    const hash = isHeld ? knowledge.slot(historyContract, key) : new Uint8Array(0);
    assume('blockHash');
    if (hash.length === 0 && knowledge.isComplete) {
      const text = `the contract asked for the hash of block ${block}, which the proven state does not hold`;
      return refuse(new EvmError('BLOCK_HASH', text));
    }
    const word = new Uint8Array(32);
    word.set(hash, 32 - hash.length);
    return word;
  }

  return {
    block: toBlock({ read, number: blockNumber, toAddress }),
    blockchain: {
      getBlock: async (block) => ({ hash: () => hashOf(block) }),
      async putBlock() {},
      shallowCopy() {
        throw new RunStopped();
      },
    },
    get assumed() {
      return used;
    },
    get everAssumed() {
      return everUsed;
    },
    get refusal() {
      return refusal;
    },
    refuse,
    gasPrice() {
      if (price !== undefined) return price;
      const text =
        'the contract asked for GASPRICE, which follows from BASEFEE; supply it as header: { baseFee }, or name a gasPrice';
      return refuse(new EvmError('HEADER_VALUE', text));
    },
    begin(gasPrice) {
      price = gasPrice;
      used.clear();
      refusal = undefined;
    },
  };
}
