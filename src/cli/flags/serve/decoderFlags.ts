/** What `serve` and `decode` take to decode transactions: chains, ABIs, token lists and prices. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Abis } from '../../../decode/index.js';
import { lmdbStore } from '../../../lmdb/index.js';
import { loadPeer } from '../../../peer.js';
import {
  createDecoder,
  type DecodedChain,
  type Decoder,
  fixedPrices,
  type PriceSource,
  poolPrices,
  type ServiceLog,
} from '../../../service/index.js';
import type { Store } from '../../../tree/index.js';
import { CliError, exitCodes, UsageError } from '../../exit/exit.js';
import { partOf } from '../../exit/needs.js';
import { quote } from '../../print/print.js';
import { asUsage, fromEnvironment, refuseUrl } from '../args.js';
import { parseAddress } from '../claimValues.js';
import type { Values } from '../flag.js';
import type { serveFlags } from './serveFlags.js';

const user = partOf('decoding', 'viem');

export interface DecodingRequest {
  readonly chains: readonly DecodedChain[];
  readonly store: string | undefined;
  readonly tokenLists: readonly string[];
  readonly prices: string | undefined;
  readonly abis: string | undefined;
}

/** `NAME=URL`. The message repeats neither: the URL may hold a key. @throws UsageError */
function chainOf(text: string): DecodedChain {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--decode expected NAME=URL, such as linea-mainnet=https://...');
  return { name: text.slice(0, at), url: text.slice(at + 1) };
}

/** Chains with the wrapped native tokens that are named of them: `NAME=ADDRESS`. @throws UsageError */
function withWrapped(chains: readonly DecodedChain[], texts: readonly string[]): DecodedChain[] {
  const named = texts.map((text) => {
    const [, name, address = ''] = /^([^=]*)=(0x[\da-f]{40})$/i.exec(text) ?? [];
    if (name === undefined) {
      throw new UsageError(
        '--wrapped-native expected NAME=ADDRESS, an address of 0x and 40 hex digits',
      );
    }
    const wrapped = parseAddress(address, '--wrapped-native');
    if (chains.some((chain) => chain.name === name)) return { name, wrapped };
    throw new UsageError(
      '--wrapped-native needs a node of its chain: --decode NAME=URL with the same name',
    );
  });
  return chains.map((chain) => {
    const own = named.filter(({ name }) => name === chain.name).map(({ wrapped }) => wrapped);
    return own.length > 0 ? { ...chain, contracts: { wrappedNative: own } } : chain;
  });
}

/** @returns undefined if nothing is to be decoded @throws UsageError */
export function readDecoding(flags: Values<typeof serveFlags>): DecodingRequest | undefined {
  const given = flags.decode.map(chainOf);
  const wrapped = flags['wrapped-native'];
  const chains = given.length > 0 ? withWrapped(given, wrapped) : given;
  const { 'decode-store': store, 'token-list': tokenLists, prices, abis } = flags;
  if (store !== undefined) refuseUrl(store, '--decode-store');
  if (chains.length > 0) return { chains, store, tokenLists, prices, abis };
  for (const [name, value] of Object.entries({ 'decode-store': store, prices, abis })) {
    if (value !== undefined) throw new UsageError(`--${name} needs --decode`);
  }
  if (tokenLists.length > 0) throw new UsageError('--token-list needs --decode');
  if (wrapped.length > 0) throw new UsageError('--wrapped-native needs --decode');
  return undefined;
}

/** @param name of the option @throws CliError */
async function readJson(name: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    const reason = `--${name} ${quote(file)}: ${(cause as Error).message}`;
    throw new CliError(exitCodes.usage, reason, { code: 'FILE', cause });
  }
}

/** The ABIs of a folder: its files that end in `.json`. @throws CliError */
export async function readAbis(folder: string): Promise<Abis> {
  const fail = (cause: unknown) =>
    new CliError(exitCodes.usage, `--abis ${quote(folder)}: ${(cause as Error).message}`, {
      code: 'FILE',
      cause,
    });
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  } catch (cause) {
    throw fail(cause);
  }
  const files: [string, unknown][] = [];
  for (const name of names) files.push([name, await readJson('abis', join(folder, name))]);
  const { parseAbis } = await loadPeer(user, 'viem', import('../../../decode/index.js'));
  try {
    return parseAbis(Object.fromEntries(files));
  } catch (cause) {
    throw fail(cause);
  }
}

/** What a file of prices that are read from pools begins with. */
const poolsMark = 'pools:';

/** A file, one that names pools, or the URL of a data interface. @throws CliError */
async function pricesOf(text: string, chains: readonly DecodedChain[]): Promise<PriceSource> {
  if (/^https?:\/\//.test(text)) {
    const { dataPrices } = await import('./dataPrices.js');
    return dataPrices(text, fromEnvironment('L2PROOF_PRICES_KEY'));
  }
  const isPools = text.startsWith(poolsMark);
  const name = isPools ? text.slice(poolsMark.length) : text;
  refuseUrl(name, '--prices, unless it begins with https://,');
  const file = await readJson('prices', name);
  try {
    if (!isPools) return fixedPrices(file);
    return poolPrices({ file, chains: chains.map(({ name, url }) => ({ name, url })) });
  } catch (cause) {
    throw new CliError(exitCodes.usage, `--prices ${quote(text)}: ${(cause as Error).message}`, {
      code: 'FILE',
      cause,
    });
  }
}

/** Names of the decoder's options -> options of the command. */
const names = { chains: '--decode', name: '--decode', url: '--decode', tokenLists: '--token-list' };

/** @throws CliError, ServiceError, TreeError */
export async function openDecoder(request: DecodingRequest, log: ServiceLog): Promise<Decoder> {
  const { chains, tokenLists: lists, prices, abis } = request;
  const tokenLists: unknown[] = [];
  for (const file of lists) tokenLists.push(await readJson('token-list', file));
  const more = {
    ...(prices !== undefined && { prices: await pricesOf(prices, chains) }),
    ...(abis !== undefined && { abis: await readAbis(abis) }),
  };
  const store: Store | undefined =
    request.store === undefined ? undefined : lmdbStore({ path: request.store });
  try {
    return await createDecoder({ chains, tokenLists, log, ...more, ...(store && { store }) });
  } catch (cause) {
    await store?.close();
    throw asUsage(names, cause);
  }
}
