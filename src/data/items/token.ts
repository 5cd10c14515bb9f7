/** What a server says of the token that an item is about: all of it is the word of the token's author. */
import * as z from 'zod/mini';
import { address, claim, maybe, number, text, texts } from '../wire/members.js';

export const tokenMembers = {
  /** Decimals of amounts. */
  contract_decimals: number,
  /** A name, which its author chose. */
  contract_name: text,
  /** A short name, which its author chose. */
  contract_ticker_symbol: text,
  /** The contract, 20 bytes. */
  contract_address: address,
  /** Such as `erc20`. */
  supports_erc: texts,
  /** URL of a picture. */
  logo_url: text,
};

/** The token that gas is paid in. */
export const gasMetadata = maybe(
  claim({
    ...tokenMembers,
    /** What stands for the native token: no contract. */
    contract_address: text,
  }),
);

/** Pages of block explorers. */
export const explorers = maybe(
  z.array(
    claim({
      /** Name of the explorer. */
      label: text,
      /** URL of its page: the server's word, too. */
      url: text,
    }),
  ),
);
