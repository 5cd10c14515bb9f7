/**
 * How long an answer may be: it follows from the question. The bound acts while the answer is read, so a server that
 * lies can cost no more than the longest true answer, and JSON takes up to eighty times its length once it is parsed.
 */

/** Longest answer to a question that does not say how long it is, in bytes. */
export const longestAnswer = 16 * 1024 * 1024;

/** Bytes of a short answer: a number, a word, a hash. No shorter bound is set: an error has a text, of any method. */
export const shortAnswer = 64 * 1024;

/** Bytes of JSON for hex data: two digits a byte, `0x`, quotes and a comma. */
const hex = (bytes: number): number => 2 * bytes + 5;

/** At most the longest of all. */
const bounded = (bytes: number): number => Math.min(shortAnswer + bytes, longestAnswer);

/**
 * One path of an L2 proof, in the wider family: top node of 96 bytes, 39 inner nodes of 64, the sibling's and the own
 * leaf opening of 192, and a value of 192; with the names of members.
 */
const l2Path = hex(96) + 39 * hex(64) + 3 * hex(192) + 256;

/** An absent key has the paths of both neighbours. Half as much again is for white space. */
const l2Proof = 1.5 * (2 * l2Path + 256);

/** A Merkle-Patricia proof: a branch of 532 bytes for each of 64 nibbles, the leaf, and the key and value with their names. */
const triePath = 65 * hex(532) + 1024;

/** Longest answer with proofs of an account of the L2 and of so many of its slots, in bytes. */
export const l2ProofAnswer = (keys: number): number => bounded((keys + 1) * l2Proof);

/** The same of proofs under a block header, as `eth_getProof` gives them. */
export const trieProofAnswer = (keys: number): number => bounded((keys + 1) * triePath);

/** Longest answer with the code of an account, in bytes. @param size of the code, in bytes */
export const codeAnswer = (size: number): number => bounded(hex(size));

/** Bytes of code that is not known to be longer: twice what any chain is known to allow. */
const usualCode = 64 * 1024;

/**
 * Bytes of a block with the hashes of its transactions alone: 69 for each, and the block gives 30,000 of them room.
 * Logs bloom, uncles and withdrawals are little beside them.
 */
const blockAnswer = 2 * 1024 * 1024;

/** Methods that answer one value of a few bytes, whatever they are asked. */
const shortMethods = new Set([
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_chainId',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'eth_syncing',
  'net_listening',
  'net_version',
  'web3_clientVersion',
]);

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Longest true answer to a question, in bytes; what neither method nor params bound may be as long as any. */
export function answerBound(method: string, params: readonly unknown[]): number {
  if (shortMethods.has(method)) return shortAnswer;
  switch (method) {
    case 'eth_getProof':
      return trieProofAnswer(lengthOf(params[1]));
    case 'l2_getProof':
    case 'linea_getProof':
      return l2ProofAnswer(lengthOf(params[1]));
    case 'eth_getCode':
      return codeAnswer(usualCode);
    case 'eth_getBlockByHash':
    case 'eth_getBlockByNumber':
      return params[1] === false ? blockAnswer : longestAnswer;
    default:
      return longestAnswer;
  }
}
