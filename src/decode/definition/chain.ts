/** Chains as data: what a decoder must know of one beside its logs. */
import type { Hex } from '../../bytes.js';
import { shown } from '../../errors.js';
import { ownMembers } from '../../foreign/argument.js';
import { hasMember } from '../../foreign/members.js';
import { hexText } from '../../foreign/values.js';

/** Contracts that have a part of their own in the events, lower or mixed case. */
export interface ChainContracts {
  /** ERC-4337 entry points beside the public ones. */
  readonly entryPoint?: readonly Hex[];
  /** Contracts that pass messages between L1 and this chain: the rollup's own bridge. */
  readonly messageService?: readonly Hex[];
  /** Contracts that bridge tokens between L1 and this chain. */
  readonly tokenBridge?: readonly Hex[];
  /** Contracts that wrap the native token, such as WETH. Only their `Deposit` and `Withdrawal` show amounts of a token. */
  readonly wrappedNative?: readonly Hex[];
}

/** A chain, as decoding knows it; made by {@link describeChain}. */
export interface Chain {
  /** As `chain_name` of a request has it. */
  readonly name: string;
  /** Chain id (EIP-155). */
  readonly id: number;
  /** The token that gas is paid in. */
  readonly nativeToken: {
    /** For example `Ether`; cut to 64 characters. */
    readonly name: string;
    /** For example `ETH`; cut to 64 characters. */
    readonly symbol: string;
    /** 0 to 77: an amount of 10 to the power of it is one whole token. */
    readonly decimals: number;
    /** URL of a picture. */
    readonly logo?: string;
  };
  /** Base URLs of block explorers; `/tx/` and the hash are put behind. */
  readonly explorers: readonly string[];
  /** Contracts of the chain that have events of their own; `{}` if none is known. */
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
 * Describes a chain by its id, as a node's `eth_chainId` gives it. For a chain that is not known, the native token is
 * Ether and nothing else is known.
 *
 * @throws TypeError that names an unknown member
 */
export function describeChain(given: { name: string; id: number }): Chain {
  const { name, id } = ownMembers(given, ['name', 'id'], 'chain');
  const chain = hasMember(known, id) ? known[id] : undefined;
  return { ...(chain ?? { nativeToken: ether, explorers: [], contracts: {} }), name, id };
}

const roleNames = [
  'entryPoint',
  'messageService',
  'tokenBridge',
  'wrappedNative',
] as const satisfies readonly (keyof ChainContracts)[];

const chainNames = [
  ...(['name', 'id', 'nativeToken', 'explorers', 'contracts'] as const),
] as const satisfies readonly (keyof Chain)[];

/** The contracts that a chain's description names, lower case. */
export type Roles = Readonly<Record<keyof ChainContracts, ReadonlySet<string>>>;

/** An address of the caller's, in lower case. @throws TypeError that names it */
export function checkAddress(value: unknown, name: string): Hex {
  const address = hexText(value, 20);
  if (address !== undefined) return address;
  throw new TypeError(`"${name}" expected 0x and 40 hex digits, got ${shown(value)}`);
}

/** A list of the caller's. @throws TypeError that names it */
export function checkCallerList<T>(value: readonly T[] | undefined, name: string): readonly T[] {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  throw new TypeError(`"${name}" expected an array, got ${shown(value)}`);
}

/** Reads the description of a chain. @throws TypeError that names the fault */
export function readChain(given: Chain) {
  const chain = ownMembers(given, chainNames, 'chain');
  const contracts = ownMembers(chain.contracts, roleNames, 'chain.contracts');
  const setOf = (role: keyof ChainContracts) => {
    const at = `chain.contracts.${role}`;
    return new Set(
      checkCallerList(contracts[role], at).map((item, i) => checkAddress(item, `${at}[${i}]`)),
    );
  };
  const roles: Roles = {
    entryPoint: setOf('entryPoint'),
    messageService: setOf('messageService'),
    tokenBridge: setOf('tokenBridge'),
    wrappedNative: setOf('wrappedNative'),
  };
  return {
    native: ownMembers(
      chain.nativeToken,
      ['name', 'symbol', 'decimals', 'logo'],
      'chain.nativeToken',
    ),
    explorers: checkCallerList(chain.explorers, 'chain.explorers').map(String),
    roles,
  };
}
