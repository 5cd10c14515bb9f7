/**
 * `l2proof/messages`: messages from L2 to L1.
 *
 * @module
 */
export { MessageError, type MessageErrorCode } from './errors.js';
export { type Message, messageHash } from './message.js';
export { type MessageClaim, verifyMessageProof } from './proof.js';
export { type MessageTree, messageTrees } from './trees.js';
