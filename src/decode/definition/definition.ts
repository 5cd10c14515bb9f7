/**
 * The form of event definitions. A file in `events/` holds one protocol as data of this form: to add a protocol, write a
 * file and name it in `events/index.ts`. Arguments are named as in the event's own declaration.
 */
import type { Hex } from '../../bytes.js';
import type { ChainContracts } from './chain.js';
import type { EventAction, EventCategory } from './types.js';

/** The standard that a token contract follows. */
export type TokenStandard = 'erc20' | 'erc721' | 'erc1155';

/**
 * How a value is shown. Without a format: addresses with checksum, integers in decimal, booleans as Yes and No, bytes in
 * hex if they are short, text cleaned and cut.
 *
 * - `time` seconds since 1970 as ISO 8601
 * - `ray` a fraction times 10^27 as percent
 * - `pips` a fraction times 10^6 as percent
 * - `length` of a list the number of its elements, of bytes how many they are
 * - `revert` what a call that failed gave back: the text of `Error(string)`, the code of `Panic(uint256)`, else hex
 * - `dnsName` a domain name as DNS encodes it
 * - `each` a list as one detail an element
 * - `ifFalse` shown if the value is false, else left out
 */
export type Format = 'time' | 'ray' | 'pips' | 'length' | 'revert' | 'dnsName' | 'each' | 'ifFalse';

/** A labelled value of an event: its heading, the name of an argument, how it is shown. */
export type DetailDefinition = readonly [heading: string, argument: string, format?: Format];

/**
 * Which token an amount is of:
 *
 * - `emitter` the contract that emitted the log
 * - `native` the token that gas is paid in
 * - `argument` the one that an argument names
 * - `moved` the token that the same receipt shows moving in exactly this amount, `in` to the emitter or `out` of it. If
 *   the emitter is a pool with two tokens, `side` says which of them it is. With `own`, it is the emitter itself if that
 *   moved the amount
 */
export type TokenSource =
  | 'emitter'
  | 'native'
  | { readonly argument: string }
  | { readonly moved: 'in' | 'out'; readonly side?: 0 | 1; readonly own?: true };

/** An amount of a fungible token. A negative amount is shown without its sign. */
export interface TokenDefinition {
  readonly heading: string;
  /** The name of an argument. */
  readonly amount: string;
  readonly token: TokenSource;
  /** When it is shown; default always. */
  readonly when?: 'positive' | 'negative';
  /** Whether the highest value of the type means no limit: it is then a detail `Unlimited` with the same heading. */
  readonly isAllowance?: true;
}

/** NFTs of an event; an argument that is a list gives one for each of its elements. */
export interface NftDefinition {
  readonly heading: string;
  /** The name of an argument. */
  readonly id: string;
  /** The name of an argument, of the same length if they are lists: shown as details `Amount`. */
  readonly amount?: string;
}

/** Tokens, native tokens and NFTs of a trade, by an argument that lists them as Seaport does. */
export interface ItemsDefinition {
  /** The name of an argument: a list of tuples `itemType, token, identifier, amount` and perhaps `recipient`. */
  readonly items: string;
  /** The recipient stands behind it. */
  readonly heading: string;
  /** The name of an argument for items that have no recipient of their own. */
  readonly recipient?: string;
}

/** An event that is shown. */
export interface ShownEvent {
  /** Declaration as in Solidity, for example `event Paused(address account)`. */
  readonly event: string;
  /** Default: the event's own name in words. */
  readonly name?: string;
  readonly action:
    | EventAction
    /** Chosen by the sign of an argument. */
    | { readonly argument: string; readonly positive: EventAction; readonly negative: EventAction };
  readonly category: EventCategory;
  /** Whether only the known addresses of the protocol are meant. */
  readonly isKnown?: true;
  /** Only tokens that say they are of this standard are meant. */
  readonly standard?: TokenStandard;
  /** Whether `minUsd` may leave the event out. */
  readonly hasMinimum?: true;
  /** Default: all arguments in order, with their names in words. */
  readonly details?: readonly DetailDefinition[];
  readonly tokens?: readonly TokenDefinition[];
  readonly nfts?: NftDefinition;
  readonly trade?: readonly ItemsDefinition[];
}

/** An event that is recognised and not shown, because it says nothing beside the events around it. */
interface SilentEvent {
  readonly event: string;
  readonly isSilent: true;
  readonly isKnown?: true;
}

export type EventDefinition = ShownEvent | SilentEvent;

export interface Protocol {
  /** Shown for known addresses only: any contract can emit any event. */
  readonly name?: string;
  /** URL. */
  readonly logo?: string;
  /** How other emitters are labelled. Default: by their address, or, if the protocol has no name, that of their token. */
  readonly style?: string;
  /** Addresses on every chain. */
  readonly addresses?: readonly Hex[];
  /** Addresses that the chain's description names. */
  readonly role?: keyof ChainContracts;
  readonly events: readonly EventDefinition[];
}
