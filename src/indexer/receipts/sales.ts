/** Sales of NFTs on Seaport: one NFT on one side, a fungible token or native value on the other. */
import { numberAt, wordWidth } from '../../abi/word.js';
import {
  addressWidth,
  bytesToInteger,
  bytesToText,
  encodeHex,
  integerToBytes,
} from '../../bytes.js';
import { dataBytes } from '../../foreign/values.js';
import type { Changes } from '../layout/changes.js';
import { Pairs } from './pairs.js';
import type { LogPosition } from './position.js';

/** Seaport 1.1, 1.4, 1.5 and 1.6, at the same addresses on every chain. Sales on other versions are not kept. */
export const seaports: readonly string[] = [
  '0x00000000006c3852cbef3e08e8df289169ede581',
  '0x00000000000001ad428e4906ae43d8f9852d0dd6',
  '0x00000000000000adc04c56bf30ac9d3c0aaf14dc',
  '0x0000000000000068f116a894984e2db1123eb395',
];

/** `OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])` */
export const orderFulfilled = '0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31';

/** Item types from which an item is an NFT, and below which there are known ones. */
const firstNft = 2;
const types = 6;

/** Words of an item that is offered, and of one that is asked for, which names its recipient. */
const offerWords = 4;
const considerationWords = 5;

/** Most bytes of a log that is looked at: no order has so many items. */
const maxData = 2 ** 16;

interface Item {
  readonly isNft: boolean;
  readonly token: Uint8Array;
  readonly id: Uint8Array;
  readonly amount: Uint8Array;
}

/** The items of a list whose offset stands in a word; undefined if it is malformed. */
function itemsAt(data: Uint8Array, word: number, width: number): Item[] | undefined {
  const start = numberAt(data, word * wordWidth);
  const count = start === undefined ? undefined : numberAt(data, start);
  if (start === undefined || count === undefined) return undefined;
  const size = width * wordWidth;
  const first = start + wordWidth;
  if (first + count * size > data.length) return undefined;
  const items: Item[] = [];
  for (let at = first; at < first + count * size; at += size) {
    const type = numberAt(data, at);
    if (type === undefined || type >= types) return undefined;
    items.push({
      isNft: type >= firstNft,
      token: data.subarray(at + 2 * wordWidth - addressWidth, at + 2 * wordWidth),
      id: data.subarray(at + 2 * wordWidth, at + 3 * wordWidth),
      amount: data.subarray(at + 3 * wordWidth, at + 4 * wordWidth),
    });
  }
  return items;
}

interface Sale {
  readonly nft: Item;
  /** Undefined for a bundle, or a price in several currencies. */
  readonly price: { readonly currency: Uint8Array; readonly amount: bigint } | undefined;
  readonly isOffered: boolean;
}

/** The price of items, if they are fungible and of one currency. */
function priceOf(items: readonly Item[]): Sale['price'] {
  const [first] = items;
  if (first === undefined) return undefined;
  const name = bytesToText(first.token);
  const isPlain = items.every(({ isNft, token }) => !isNft && bytesToText(token) === name);
  const amount = items.reduce((sum, item) => sum + bytesToInteger(item.amount), 0n);
  return isPlain && amount >> 256n === 0n ? { currency: first.token, amount } : undefined;
}

/** The sale that an order is; undefined if it trades no NFT, or NFTs on both sides. */
function parseSale(data: string): Sale | undefined {
  const bytes = dataBytes(data, maxData);
  const offer = bytes && itemsAt(bytes, 2, offerWords);
  const asked = bytes && itemsAt(bytes, 3, considerationWords);
  if (!offer || !asked) return undefined;
  const isNft = (item: Item) => item.isNft;
  const isOffered = offer.some(isNft);
  // What is asked for beside an NFT is a fee, which the price on the other side pays.
  const nfts = isOffered ? offer : asked.filter(isNft);
  const [nft] = nfts;
  if (nft === undefined || (isOffered && asked.some(isNft))) return undefined;
  return {
    nft,
    price: nfts.length > 1 ? undefined : priceOf(isOffered ? asked : offer),
    isOffered,
  };
}

/** Adds the sales of one transaction after the other. */
export class SaleRecords {
  readonly #changes: Changes;
  /** An order that offers an NFT and one that asks for it: a trade of two matched orders counts once. */
  readonly #matched = new Pairs();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  beginTransaction(): void {
    this.#matched.clear();
  }

  add(data: string, { block, newest, transaction }: LogPosition): void {
    const sale = parseSale(data);
    if (sale === undefined) return;
    const { nft, price, isOffered } = sale;
    const name = bytesToText(nft.token) + bytesToText(nft.id);
    if (this.#matched.isRepeated(name, isOffered)) return;
    const changes = this.#changes;
    const currency = price && changes.contract(encodeHex(price.currency));
    changes
      .key('sale')
      .ofContract(changes.contract(encodeHex(nft.token)))
      .part(newest);
    changes.value(block).part(nft.id).part(transaction);
    if (price !== undefined && currency !== undefined) {
      changes.ofContract(currency).amount(integerToBytes(price.amount, wordWidth));
    }
    changes.end();
  }
}
