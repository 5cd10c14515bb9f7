// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The rollup contract of the devnet, on L1.
/// @notice For trying only: it believes whoever calls it. There is no validity proof.
/// @dev Its variables stand in the storage slots of the public rollup contract, because state roots are proven from these.
contract Rollup {
    uint256[281] private slots0To280;
    /// @notice The last finalized L2 block. Slot 281.
    uint256 public currentL2BlockNumber;
    /// @notice The state root after the last block of each finalization. Slot 282.
    mapping(uint256 blockNumber => bytes32 stateRoot) public stateRootHashes;
    uint256[164] private slots283To446;
    /// @notice Hash of message and forced transaction counters, and of the time of the last finalized L2 block. Slot 447.
    bytes32 public currentFinalizedState;
    /// @notice The rolling hash after a message from L1. The devnet has no such messages: always zero.
    mapping(uint256 messageNumber => bytes32 rollingHash) public rollingHashes;
    /// @notice The rolling hash after a forced transaction. The devnet has none: always zero.
    mapping(uint256 number => bytes32 rollingHash) public forcedTransactionRollingHashes;

    event DataFinalizedV3(
        uint256 indexed startBlockNumber,
        uint256 indexed endBlockNumber,
        bytes32 indexed shnarf,
        bytes32 parentStateRootHash,
        bytes32 finalStateRootHash
    );
    event FinalizedStateUpdated(
        uint256 indexed blockNumber, uint256 timestamp, uint256 messageNumber, uint256 forcedTransactionNumber
    );

    error NotAfter(uint256 currentL2BlockNumber);
    error ZeroRoot();

    /// @notice Takes a state root. The public contract wants a validity proof for it.
    /// @param blockNumber the L2 block, after the last finalized one
    /// @param stateRoot root of the L2 state after that block
    /// @param timestamp time of that block, in seconds
    function finalize(uint256 blockNumber, bytes32 stateRoot, uint256 timestamp) external {
        uint256 last = currentL2BlockNumber;
        if (blockNumber <= last) revert NotAfter(last);
        if (stateRoot == 0) revert ZeroRoot();
        currentL2BlockNumber = blockNumber;
        stateRootHashes[blockNumber] = stateRoot;
        currentFinalizedState = keccak256(abi.encode(0, rollingHashes[0], 0, forcedTransactionRollingHashes[0], timestamp));
        emit DataFinalizedV3(last + 1, blockNumber, 0, stateRootHashes[last], stateRoot);
        emit FinalizedStateUpdated(blockNumber, timestamp, 0, 0);
    }
}
