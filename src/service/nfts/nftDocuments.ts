/** The documents of tokens: where their contracts say that they are, and what is kept of them. */
import { decodeText } from '../../abi/answers.js';
import type { AbiCall } from '../../abi/call.js';
import { uriCall } from '../../abi/tokens.js';
import { mapConcurrently } from '../../concurrent.js';
import { unlessServerError } from '../chain/multicall.js';
import type { NftDocument } from '../documents/document.js';
import type { TokenUrl } from '../documents/documents.js';
import type { NftQuery, NftToken } from './nftTokens.js';

/** Bytes of an answer that holds a whole document: base64 takes four characters for three bytes. */
const maxAnswer = 384 * 1024;

/** Tokens whose answers may be so long, and how many of them are asked for at once. */
const mostLong = 20;
const concurrent = 4;

/**
 * What contracts say of where documents are, as they write it.
 *
 * @throws RpcError, NodeError, and what the pause throws
 */
export async function readLinks(
  tokens: readonly NftToken[],
  { access, context, block }: NftQuery,
): Promise<(string | undefined)[]> {
  const { amounts, node } = access;
  const { pause, charge } = context;
  const calls = tokens.map((token) => uriCall(token.standard, token));
  charge(calls.length);
  const answers = await amounts.call(calls, block, pause);
  // A document in its own URL is longer than other answers, and often takes more gas to make.
  const long = [...answers.keys()].filter((i) => answers[i] === undefined).slice(0, mostLong);
  charge(long.length);
  await mapConcurrently(long, concurrent, async (i) => {
    await pause();
    const call = calls[i] as AbiCall;
    // The node's message may be about a contract that failed, which is no fault of the others on the page.
    answers[i] = await unlessServerError(node.callAt({ ...call, block, maxBytes: maxAnswer }));
  });
  return answers.map((answer) => answer && decodeText(answer, answer.length)?.trim());
}

/**
 * The documents of tokens, as far as they are kept.
 *
 * @param links as {@link readLinks} has read them
 * @param uncached whether others are fetched, a few of them
 * @throws what the pause throws
 */
export async function findDocuments(
  tokens: readonly NftToken[],
  links: readonly (string | undefined)[],
  { uncached, query: { access, context, block } }: { uncached: boolean; query: NftQuery },
): Promise<(NftDocument | undefined)[]> {
  const { documents } = access;
  const places = tokens.map((token, i): TokenUrl | undefined => {
    const url = links[i];
    return url === undefined ? undefined : { ...token, url, block };
  });
  if (uncached) {
    const missing = documents.missing(places.flatMap((place) => place ?? []));
    context.charge(missing.length);
    await documents.load(missing);
  }
  const found: (NftDocument | undefined)[] = [];
  for (const place of places) {
    // One in its own URL is read now.
    await context.pause();
    found.push(place && documents.find(place));
  }
  return found;
}
