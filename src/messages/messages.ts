/** Messages from L2 to L1: what has become of one, and the proof that claims it. */
import { addressWidth, encodeHex } from '../bytes.js';
import { checkHex, ownMembers } from '../foreign/argument.js';
import { createHistory } from '../history/index.js';
import { ask, type MessageSources, type Outcome } from './ask.js';
import { claimCalldata } from './calldata.js';
import { MessageError } from './errors.js';
import { checkMessagesOptions, type MessagesOptions } from './options.js';
import { verifyMessageProof } from './proof.js';
import { checkQuestion, questionNames } from './question.js';
import type { MessageProof, Messages, ProofQuestion } from './types.js';

/** No fee recipient of its own: the contract pays the one who calls. */
const theCaller = `0x${'00'.repeat(addressWidth)}` as const;

/** @throws MessageError if there is no proof */
function toProof({ status, found }: Outcome, feeRecipient: Uint8Array): MessageProof {
  if (status.status === 'unknown') {
    const { from, to } = status.blocks;
    const text = `it is proven that the blocks ${from} to ${to} have no message ${status.hash}`;
    throw new MessageError('NOT_FOUND', text);
  }
  if (status.status === 'pending' || found === undefined) {
    const { l2BlockNumber, finalizedBlock } = status;
    const text = `the message is in L2 block ${l2BlockNumber}; the last that is finalized is ${finalizedBlock}`;
    throw new MessageError('NOT_FINALIZED', text);
  }
  const { message, root, depth } = status;
  const { leafIndex, tree } = found;
  const proof = tree.prove(leafIndex);
  // As the contract will.
  verifyMessageProof({ proof, leafIndex, root, depth, message });
  const calldata = claimCalldata({ message, proof, leafIndex, root }, encodeHex(feeRecipient));
  return { ...status, proof, leafIndex, calldata };
}

/**
 * Opens a way to ask about the messages of a rollup from L2 to L1. Nobody is asked before the first question.
 *
 * @throws TypeError or RangeError for a wrong option
 */
export function createMessages(options: MessagesOptions): Messages {
  const parts = checkMessagesOptions(options);
  const { l2, maxBlocks, l1Options } = parts;
  const common = { ...l1Options, l2, maxRange: maxBlocks };
  const sources: MessageSources = {
    ...parts,
    history: createHistory({ ...common, maxBlocks }),
    nearHistory: createHistory({ ...common, maxBlocks: 0 }),
  };
  return {
    async status(message, given = {}) {
      const own = ownMembers(given, questionNames, 'options');
      return (await ask(sources, checkQuestion(message, own))).status;
    },
    async prove(message, given: ProofQuestion = {}) {
      const names = [...questionNames, 'feeRecipient'] as const;
      const { feeRecipient = theCaller, ...own } = ownMembers(given, names, 'options');
      const recipient = checkHex(feeRecipient, addressWidth, 'feeRecipient');
      return toProof(await ask(sources, checkQuestion(message, own)), recipient);
    },
  };
}
