/**
 * `l2proof/messages`: messages from L2 to L1. `createMessages` sends requests; all other functions are pure.
 *
 * @example
 * ```ts
 * import { networks } from 'l2proof/anchor';
 * import { createMessages } from 'l2proof/messages';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const messages = createMessages({
 *   l1: createTransport({ url: 'https://l1.example' }),
 *   l2: createTransport({ url: 'https://l2.example' }),
 *   network: networks.mainnet,
 * });
 * const hash = '0x5b86db2f50a8bbdf7a3b2b6e08bdf2a8d1b8ff0b2b4b4b3d0f0e1a5c6d7e8f90';
 * const { status, calldata } = await messages.prove(hash);
 * console.log(status, calldata);
 * ```
 *
 * @module l2proof/messages
 */
export { MessageError, type MessageErrorCode } from './errors.js';
export { type Message, messageHash } from './message.js';
export { createMessages } from './messages.js';
export type { MessagesOptions } from './options.js';
export { type MessageClaim, verifyMessageProof } from './proof.js';
export { type MessageTree, messageTrees } from './trees.js';
export type {
  AssumedOfMessage,
  MessageProgress,
  MessageProof,
  MessageQuestion,
  MessageStatus,
  MessageSubject,
  Messages,
  ProofQuestion,
} from './types.js';
