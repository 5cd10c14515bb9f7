/** What `l2proof serve` is asked for. */
import type { NftMetadataOptions } from '../../../service/index.js';
import { UsageError } from '../../exit/exit.js';
import { type Names, readArgs } from '../args.js';
import { openTransport } from '../endpoints.js';
import type { Values } from '../flag.js';
import { readDataChains } from './dataChains.js';
import { readDecoding } from './decoderFlags.js';
import { readPage } from './pageSettings.js';
import { serveFlags } from './serveFlags.js';

type ServeValues = Values<typeof serveFlags>;

const limitFlags = [
  ['max-body', 'bodyBytes'],
  ['max-slots', 'storageKeys'],
  ['max-reads', 'reads'],
  ['max-batch', 'batchCalls'],
  ['max-rate', 'requestsPerSecond'],
  ['max-concurrent', 'concurrent'],
  ['timeout', 'time'],
] as const;

const serverFlags = [
  ['max-connections', 'maxConnections'],
  ['max-connections-per-address', 'maxConnectionsPerAddress'],
] as const;

/** Bounds by the names that the service has for them. @throws UsageError */
function readFlags<Flag extends keyof ServeValues, Name extends string>(
  flags: readonly (readonly [Flag, Name])[],
  values: { readonly [name in Flag]: number | undefined },
): { [name in Name]?: number } {
  const numbers: { [name in Name]?: number } = {};
  for (const [flag, name] of flags) {
    const number = values[flag];
    if (number !== undefined) numbers[name] = number;
  }
  return numbers;
}

/** The fork of the state that amounts are worked out on. @throws UsageError */
function readServeFork({ fork, data, store }: ServeValues) {
  if (fork === undefined || (store !== undefined && data.length === 1)) return fork;
  throw new UsageError('--fork needs --store, and one --data, of the same chain');
}

/** The node that blocks are answered from. @throws UsageError */
function readNode({ node, store }: ServeValues) {
  if (node === undefined) return undefined;
  if (store === undefined) throw new UsageError('--node needs --store, of the same chain');
  return openTransport('--node', { url: node });
}

/** What the answers of --data link to, and whether nodes are asked for traces. @throws UsageError */
function readLinks({ data, 'public-url': publicUrl, trace }: ServeValues) {
  if (data.length === 0 && (publicUrl !== undefined || trace)) {
    throw new UsageError('--public-url and --trace need --data');
  }
  return { publicUrl, trace };
}

/** How documents of NFTs are fetched; undefined: they are not. @throws UsageError */
function readNftMetadata(values: ServeValues): NftMetadataOptions | undefined {
  const { ipfs, arweave, 'image-proxy': imageProxy, 'nft-http': http } = values;
  if (values['nft-metadata']) {
    if (values.data.length === 0) throw new UsageError('--nft-metadata needs --data');
    return {
      http,
      ...(ipfs !== undefined && { ipfs }),
      ...(arweave !== undefined && { arweave }),
      ...(imageProxy !== undefined && { imageProxy }),
    };
  }
  if (!http && [ipfs, arweave, imageProxy].every((text) => text === undefined)) return undefined;
  throw new UsageError('--nft-http, --ipfs, --arweave and --image-proxy need --nft-metadata');
}

/** @throws UsageError */
export function parseRequest(args: readonly string[]) {
  const { values } = readArgs(args, serveFlags, 0);
  const { store } = values;
  const decoding = readDecoding(values);
  if (store === undefined && decoding === undefined) {
    throw new UsageError('--store is required: the folder of the store; or --decode NAME=URL');
  }
  const decoded = decoding?.chains.map(({ name }) => name) ?? [];
  const { log: logLevel, processes } = values;
  if (processes > 1 && decoding?.store !== undefined) {
    throw new UsageError('--decode-store has one writer; leave it out, or serve from one process');
  }
  const { port } = values;
  const limits = readFlags(limitFlags, values);
  const connections = readFlags(serverFlags, values);
  return {
    store,
    decoding,
    data: readDataChains(values.data, decoded),
    links: readLinks(values),
    nftMetadata: readNftMetadata(values),
    fork: readServeFork(values),
    page: readPage(values),
    hash: values.hash,
    host: values.host,
    port,
    logLevel,
    limits,
    server: { ...connections, drain: 1000 * values.drain },
    processes,
    chainId: values['chain-id'],
    height: values.finality,
    l1: values.l1,
    node: readNode(values),
    rollup: values.rollup,
    keys: values.key,
    aliases: values.alias,
    cors: values.cors,
  } as const;
}

export type ServeRequest = ReturnType<typeof parseRequest>;

/** Names of the service's options -> options of the command. */
export const serveNames: Names = {
  url: '--l1',
  contract: '--rollup',
  chainId: '--chain-id',
  ...Object.fromEntries(limitFlags.map(([flag, name]) => [`limits.${name}`, `--${flag}`])),
  ...Object.fromEntries(serverFlags.map(([flag, name]) => [name, `--${flag}`])),
};
