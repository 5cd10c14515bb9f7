/** Messages to L1 in the logs of a transaction. */
import type { Hex as Digits } from '../../index.js';

/** keccak-256 of `MessageSent(address,address,uint256,uint256,uint256,bytes,bytes32)`. */
const messageSent = '0xe856c2b8bd4eb0027ce32eeaf595c21b0b6b4644b326e5b7bd80a1cf8db72e6c';

interface Log {
  readonly address: Digits;
  readonly topics: readonly Digits[];
}

/** Hashes of the messages that a transaction has sent. @param service the contract that sends them, lower case */
export const sentMessages = (logs: readonly Log[], service: Digits | undefined): Digits[] =>
  logs
    .filter(({ address, topics }) => address === service && topics[0] === messageSent)
    .flatMap(({ topics }) => topics[3] ?? []);
