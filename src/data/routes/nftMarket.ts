/** What tokens of a contract were sold for, by days. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import {
  type FloorPriceItem,
  floorPriceItem,
  type SaleCountItem,
  saleCountItem,
  type VolumeItem,
  volumeItem,
} from '../items/nftItem.js';
import { checkAbout } from '../wire/answer.js';
import {
  type Asked,
  addressRule,
  askedRules,
  optionalRule,
  readRequest,
  textRule,
  wholeNumberRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, trustNames, trustRules } from '../wire/trust.js';

/** The contract whose sales are wanted. */
export interface NftMarketRequest extends Asked, Trusting {
  /** The contract, 20 bytes. */
  contract: Hex;
  /** The last days, 1 to 366; default: the server's. */
  days?: number | undefined;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
}

/** Questions about sales. All answers are the server's claims, also with an `anchor`: days with a sale, the newest first. */
export interface NftMarketRoutes {
  /** The least price of each day. @throws as `decodeTransaction` */
  floorPrices(request: NftMarketRequest): Promise<readonly FloorPriceItem[]>;
  /** What all sales of each day add up to. @throws as `decodeTransaction` */
  volumes(request: NftMarketRequest): Promise<readonly VolumeItem[]>;
  /** How many sales each day had. @throws as `decodeTransaction` */
  saleCounts(request: NftMarketRequest): Promise<readonly SaleCountItem[]>;
}

const marketRules = {
  ...{ ...askedRules, contract: addressRule, days: optionalRule(wholeNumberRule(1)) },
  quoteCurrency: optionalRule(textRule),
  ...trustRules,
};

const daysOf = <T extends z.core.$ZodType>(item: T) =>
  z.looseObject({ address: z.string(), items: z.array(item) });
const floorData = daysOf(floorPriceItem);
const volumeData = daysOf(volumeItem);
const countData = daysOf(saleCountItem);

export function createNftMarketRoutes({ pathOf, ask, trustOf }: Routes): NftMarketRoutes {
  async function find<T extends object>(
    kind: string,
    request: NftMarketRequest,
    schema: z.core.$ZodType<{ address: string; items: T[] }>,
  ): Promise<(T & { readonly assumed?: readonly string[] })[]> {
    const given = readRequest(request, marketRules, trustNames);
    const { chainName, contract, days, quoteCurrency, signal } = given;
    const trust = await trustOf(given);
    const path = `${pathOf(chainName)}nft_market/${contract}/${kind}/`;
    const query = { days, 'quote-currency': quoteCurrency };
    const { address, items } = await ask({ path, query, schema, signal });
    checkAbout('contract', address, contract);
    return trust ? items.map((item) => ({ ...item, assumed: ['everything'] })) : items;
  }

  return {
    floorPrices: (request) => find('floor_price', request, floorData),
    volumes: (request) => find('volume', request, volumeData),
    saleCounts: (request) => find('sale_count', request, countData),
  };
}
