/** What a server says of the token that an item is about: all of it is the word of the token's author. */
import * as z from 'zod/mini';
import { addressMember, claim, maybe, numberMember, textMember, texts } from '../wire/members.js';

export const tokenMembers = {
  /** Decimals of amounts. */
  contract_decimals: numberMember,
  /** A name, which its author chose. */
  contract_name: textMember,
  /** A short name, which its author chose. */
  contract_ticker_symbol: textMember,
  /** The contract, 20 bytes. */
  contract_address: addressMember,
  /** Such as `erc20`. */
  supports_erc: texts,
  /** URL of a picture. */
  logo_url: textMember,
};

/** The token that gas is paid in. */
export const gasMetadataSchema = maybe(
  claim({
    ...tokenMembers,
    /** What stands for the native token: no contract. */
    contract_address: textMember,
  }),
);

/** Pages of block explorers. */
export const explorersSchema = maybe(
  z.array(
    claim({
      /** Name of the explorer. */
      label: textMember,
      /** URL of its page: the server's word, too. */
      url: textMember,
    }),
  ),
);
