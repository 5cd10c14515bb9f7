/**
 * The service's questions to an L2 node about blocks. Who asks us holds the answers against proven hashes, so nothing here
 * vouches for them; a header is still held against its hash, because it is kept under it.
 */
import { decodeHex, encodeHex, type Hex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import { ShapeError } from '../../errors.js';
import { createReader } from '../../foreign/reader.js';
import { TrieError } from '../../mpt/errors.js';
import { matchHeader } from '../../mpt/header.js';
import { toInteger } from '../../mpt/text.js';
import { callL2 } from '../../rpc/caller.js';
import { isNotHeld } from '../../rpc/errors.js';
import { RpcError, type Transport } from '../../rpc/index.js';
import {
  createNodeClient,
  type NumberOrHash,
  toAskNode,
  unlessNull,
} from '../../rpc/nodeClient.js';
import { SharedWork } from '../../sharedWork.js';
import { blockMissing, codes, HttpError } from '../http/httpError.js';

/** A header as it is kept. */
export interface HeaderText {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Its RLP. */
  readonly encoded: Hex;
}

export interface BlockNode {
  /** @returns undefined if the node has no such block @throws HttpError */
  header(block: NumberOrHash, signal: AbortSignal): Promise<HeaderText | undefined>;
  /** Headers of blocks by their numbers, a few at once. @throws HttpError if one of them is missing */
  headers(numbers: readonly number[], signal: AbortSignal): Promise<HeaderText[]>;
  /** Any question; the same one is asked once for all who wait for it. @returns the answer, unread @throws HttpError */
  ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}

/** Headers that are asked for at once. */
const headersAtOnce = 8;

/** Questions that are on their way at once, the others wait: an answer may take 16 MiB. */
const maxQuestions = 64;

const failed = (cause: unknown): HttpError =>
  new HttpError(codes.internalError, 'the L2 node does not answer right now', { cause });

const nonsense = (at: string, reason: string, options: ErrorOptions = {}): HttpError =>
  failed(new TypeError(`the L2 node answered nonsense: "${at}" ${reason}`, options));

const { readObject, read, asHex } = createReader(nonsense);
const readHash = asHex(32);

/** @throws HttpError */
function readHeader(answer: unknown, at: string): HeaderText {
  const source = readObject(answer, at);
  const hash = read(source, 'hash', readHash);
  const wanted = new Uint8Array(32);
  decodeHex(hash, 32, wanted);
  try {
    const { values, encoded } = matchHeader(source, wanted);
    return {
      number: Number(toInteger(values.get('number') as Uint8Array)),
      hash,
      parentHash: encodeHex(values.get('parentHash') as Uint8Array),
      encoded: encodeHex(encoded),
    };
  } catch (cause) {
    if (!(cause instanceof ShapeError || cause instanceof TrieError)) throw cause;
    throw nonsense(at, 'is no header', { cause });
  }
}

/** What the node said of the question itself is passed on; that it does not answer is ours to tell. */
function refusalOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof HttpError) return error;
  if (error instanceof RpcError && error.serverCode === codes.methodNotFound) {
    return new HttpError(codes.methodNotFound, 'the L2 node does not answer that method');
  }
  // Who asks then takes an older block, or a newer one.
  if (isNotHeld(error)) return blockMissing('the L2 node no longer holds its state');
  return failed(error);
}

export function createBlockNode(l2: Transport): BlockNode {
  const shared = new SharedWork<string, unknown>();
  let asking = 0;
  /** Those who wait for a place, which the one before them hands over. */
  const waiting: (() => void)[] = [];

  async function send(method: string, params: readonly unknown[], signal: AbortSignal) {
    if (asking < maxQuestions) asking += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await callL2(l2, method, params, signal);
    } catch (error) {
      throw refusalOf(error, signal);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else asking -= 1;
    }
  }

  const ask: BlockNode['ask'] = (method, params, signal) =>
    shared.run(JSON.stringify([method, params]), signal, (own) => send(method, params, own));

  const header: BlockNode['header'] = (block, signal) => {
    const client = createNodeClient(toAskNode((method, params) => ask(method, params, signal)));
    return client.block(block, unlessNull(readHeader));
  };

  return {
    ask,
    header,
    headers: (numbers, signal) =>
      mapConcurrently(numbers, headersAtOnce, async (number) => {
        const found = await header(number, signal);
        if (found) return found;
        throw failed(new TypeError(`the L2 node has no block ${number}, and has later ones`));
      }),
  };
}
