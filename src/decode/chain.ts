/** Chains as data: what a decoder must know of one beside its logs. */
import type { Hex } from '../bytes.js';

/** Contracts that have a part of their own in the events, lower or mixed case. */
export interface ChainContracts {
  /** ERC-4337 entry points beside the public ones. */
  readonly entryPoint?: readonly Hex[];
  readonly messageService?: readonly Hex[];
  readonly tokenBridge?: readonly Hex[];
  readonly wrappedNative?: readonly Hex[];
}

export interface Chain {
  /** As `chain_name` of a request has it. */
  readonly name: string;
  readonly id: number;
  /** The token that gas is paid in. */
  readonly nativeToken: {
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
    readonly logo?: string;
  };
  /** Base URLs of block explorers; `/tx/` and the hash are put behind. */
  readonly explorers: readonly string[];
  readonly contracts: ChainContracts;
}

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 };

/** Known chains by chain id. */
const known: Readonly<Record<number, Omit<Chain, 'name' | 'id'>>> = {
  59144: {
    nativeToken: ether,
    explorers: ['https://lineascan.build'],
    contracts: {
      messageService: ['0x508Ca82Df566dCD1B0DE8296e70a96332cD644ec'],
      tokenBridge: ['0x353012dc4a9A6cF55c941bADC267f82004A8ceB9'],
      wrappedNative: ['0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f'],
    },
  },
  59141: {
    nativeToken: ether,
    explorers: ['https://sepolia.lineascan.build'],
    contracts: {
      messageService: ['0x971e727e956690b9957be6d51Ec16E73AcAC83A7'],
      tokenBridge: ['0x93DcAdf238932e6e6a85852caC89cBd71798F463'],
    },
  },
};

/**
 * Describes a chain by its id, as a node's `eth_chainId` gives it. Of a chain that is not known, the native token is
 * Ether and nothing else is known.
 */
export function describeChain({ name, id }: { name: string; id: number }): Chain {
  const chain = Object.hasOwn(known, id) ? known[id] : undefined;
  return { ...(chain ?? { nativeToken: ether, explorers: [], contracts: {} }), name, id };
}
