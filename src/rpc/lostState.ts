/** The words in which nodes say that they no longer hold the state of a block. JSON-RPC has no code for it. */

/** By client, as their sources word it. Some providers put words of their own around them. */
const wordings: readonly RegExp[] = [
  // geth: trie/errors.go, core/state/database_history.go, eth/state_accessor.go
  /missing trie node/i,
  /\bstate (0x)?[0-9a-f]{3,64} is not available/i,
  /\bhistorical state( is)? (not available|unavailable)/i,
  // reth: EthApiError::ExceedsMaxProofWindow, ProviderError::StateAtBlockPruned, InsufficientChangesets
  /distance to target block exceeds maximum proof window/i,
  /state at block #\d+ is pruned/i,
  /insufficient changesets/i,
  // Besu: RpcErrorType.WORLD_STATE_UNAVAILABLE
  /world state unavailable/i,
  // Erigon: rpc/jsonrpc/eth_call.go, PrunedError of HistoryReaderV3
  /requested block is too old/i,
  /not available due to pruning/i,
  /proofs are available only for the 'latest' block/i,
  // Nethermind: Nethermind.JsonRpc, GetStateFailureResult; reth: ProviderError::StateForHashNotFound, StateForNumberNotFound
  /no state (available|found) for block/i,
];

/** Anvil: BlockchainError::BlockOutOfRange, which a block that is yet to come gets too. */
const anvilWording = /BlockOutOfRangeError: .*is (\d+) but requested was (\d+)/;

/** A contract that reverts chooses the words behind it. */
const contractsWords = /reverted|: revert/i;

/** Whether a server's message says that the state of an older block is gone. */
export function saysStateLost(message: string): boolean {
  if (contractsWords.test(message)) return false;
  if (wordings.some((wording) => wording.test(message))) return true;
  const [, height, requested] = anvilWording.exec(message) ?? [];
  return height !== undefined && BigInt(requested as string) <= BigInt(height);
}
