// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The rollup contract of the devnet, on L1.
/// @notice For trying only: it believes whoever calls it. There is no validity proof.
/// @dev Its variables stand in the storage slots of the public rollup contract, because state roots are proven from these.
contract Rollup {
    /// @notice What claims a message, and the proof that it is in a tree of messages.
    struct Claim {
        bytes32[] proof;
        uint256 messageNumber;
        uint32 leafIndex;
        address from;
        address to;
        uint256 fee;
        uint256 value;
        address payable feeRecipient;
        bytes32 merkleRoot;
        bytes data;
    }

    /// @notice The height of each tree of messages: it has room for 32.
    uint256 public constant MESSAGE_TREE_DEPTH = 5;

    uint256[281] private slots0To280;
    /// @notice The last finalized L2 block. Slot 281.
    uint256 public currentL2BlockNumber;
    /// @notice The state root after the last block of each finalization. Slot 282.
    mapping(uint256 blockNumber => bytes32 stateRoot) public stateRootHashes;
    uint256[52] private slots283To334;
    /// @dev A bit for each message that was claimed. Slot 335.
    mapping(uint256 wordIndex => uint256 bits) private messageClaimedBitMap;
    /// @notice The height of the tree of messages with a root; zero if there is none. Slot 336.
    mapping(bytes32 root => uint256 depth) public l2MerkleRootsDepths;
    uint256[110] private slots337To446;
    /// @notice Hash of message and forced transaction counters, and of the time of the last finalized L2 block. Slot 447.
    bytes32 public currentFinalizedState;
    /// @notice The rolling hash after a message from L1. The devnet has no such messages: always zero.
    mapping(uint256 messageNumber => bytes32 rollingHash) public rollingHashes;
    /// @notice The rolling hash after a forced transaction. The devnet has none: always zero.
    mapping(uint256 number => bytes32 rollingHash) public forcedTransactionRollingHashes;
    uint256[6] private slots450To455;
    /// @notice The hash of the last block of each finalization, as the next version of the public contract keeps it. Slot 456.
    mapping(uint256 blockNumber => bytes32 blockHash) public blockHashes;

    /// @notice Who has sent the message that is claimed right now, on L2.
    address public transient sender;

    event DataFinalizedV3(
        uint256 indexed startBlockNumber,
        uint256 indexed endBlockNumber,
        bytes32 indexed shnarf,
        bytes32 parentStateRootHash,
        bytes32 finalStateRootHash
    );
    event DataFinalizedV4(
        uint256 indexed startBlockNumber,
        uint256 indexed endBlockNumber,
        bytes32 indexed endDataRollingHash,
        uint256 endOffset,
        bytes32 parentBlockHash,
        bytes32 finalBlockHash
    );
    event FinalizedStateUpdated(
        uint256 indexed blockNumber, uint256 timestamp, uint256 messageNumber, uint256 forcedTransactionNumber
    );

    event L2MerkleRootAdded(bytes32 indexed root, uint256 indexed depth);
    event MessageClaimed(bytes32 indexed messageHash);

    error NotAfter(uint256 currentL2BlockNumber);
    error ZeroRoot();
    error UnknownMessageRoot(bytes32 root);
    error WrongProofLength(uint256 length, uint256 depth);
    error LeafIndexTooHigh(uint32 leafIndex);
    error WrongProof();
    error AlreadyClaimed(uint256 messageNumber);
    error CallFailed(address to);

    /// @notice Takes a state root. The public contract wants a validity proof for it.
    /// @param blockNumber the L2 block, after the last finalized one
    /// @param stateRoot root of the L2 state after that block
    /// @param timestamp time of that block, in seconds
    /// @param messageRoots the trees of the messages that were sent since the last one
    function finalize(uint256 blockNumber, bytes32 stateRoot, uint256 timestamp, bytes32[] calldata messageRoots)
        external
    {
        uint256 last = currentL2BlockNumber;
        if (stateRoot == 0) revert ZeroRoot();
        stateRootHashes[blockNumber] = stateRoot;
        finalizeNumber(blockNumber, timestamp, messageRoots);
        emit DataFinalizedV3(last + 1, blockNumber, 0, stateRootHashes[last], stateRoot);
    }

    /// @notice Takes the hash of an L2 block in place of a state root, as the next version of the public contract does.
    /// @param blockHash hash of the block; the other parameters are those of `finalize`
    function finalizeBlock(uint256 blockNumber, bytes32 blockHash, uint256 timestamp, bytes32[] calldata messageRoots)
        external
    {
        uint256 last = currentL2BlockNumber;
        if (blockHash == 0) revert ZeroRoot();
        blockHashes[blockNumber] = blockHash;
        finalizeNumber(blockNumber, timestamp, messageRoots);
        emit DataFinalizedV4(last + 1, blockNumber, 0, 0, blockHashes[last], blockHash);
    }

    /// @dev What both have in common.
    function finalizeNumber(uint256 blockNumber, uint256 timestamp, bytes32[] calldata messageRoots) private {
        uint256 last = currentL2BlockNumber;
        if (blockNumber <= last) revert NotAfter(last);
        currentL2BlockNumber = blockNumber;
        currentFinalizedState = keccak256(abi.encode(0, rollingHashes[0], 0, forcedTransactionRollingHashes[0], timestamp));
        for (uint256 i; i < messageRoots.length; ++i) {
            l2MerkleRootsDepths[messageRoots[i]] = MESSAGE_TREE_DEPTH;
            emit L2MerkleRootAdded(messageRoots[i], MESSAGE_TREE_DEPTH);
        }
        emit FinalizedStateUpdated(blockNumber, timestamp, 0, 0);
    }

    /// @notice Whether a message was claimed.
    function isMessageClaimed(uint256 messageNumber) public view returns (bool) {
        return (messageClaimedBitMap[messageNumber >> 8] >> (messageNumber & 255)) & 1 == 1;
    }

    /// @notice Claims a message: calls whom it is for, with its value, and pays the fee.
    function claimMessageWithProof(Claim calldata claim) external {
        if (isMessageClaimed(claim.messageNumber)) revert AlreadyClaimed(claim.messageNumber);
        messageClaimedBitMap[claim.messageNumber >> 8] |= 1 << (claim.messageNumber & 255);
        uint256 depth = l2MerkleRootsDepths[claim.merkleRoot];
        if (depth == 0) revert UnknownMessageRoot(claim.merkleRoot);
        if (claim.proof.length != depth) revert WrongProofLength(claim.proof.length, depth);
        if (claim.leafIndex >= 1 << depth) revert LeafIndexTooHigh(claim.leafIndex);
        bytes32 messageHash = keccak256(
            abi.encode(claim.from, claim.to, claim.fee, claim.value, claim.messageNumber, claim.data)
        );
        if (rootOf(messageHash, claim.proof, claim.leafIndex) != claim.merkleRoot) revert WrongProof();
        sender = claim.from;
        (bool isDone,) = claim.to.call{value: claim.value}(claim.data);
        if (!isDone) revert CallFailed(claim.to);
        sender = address(0);
        if (claim.fee > 0) {
            address payable recipient = claim.feeRecipient == address(0) ? payable(msg.sender) : claim.feeRecipient;
            (isDone,) = recipient.call{value: claim.fee}("");
            if (!isDone) revert CallFailed(recipient);
        }
        emit MessageClaimed(messageHash);
    }

    /// @dev The root that a leaf and its siblings lead to. Bit i of the index says on which side it is at height i.
    function rootOf(bytes32 leaf, bytes32[] calldata proof, uint32 leafIndex) private pure returns (bytes32 node) {
        node = leaf;
        for (uint256 i; i < proof.length; ++i) {
            bool isRight = (leafIndex >> i) & 1 == 1;
            node = isRight ? keccak256(bytes.concat(proof[i], node)) : keccak256(bytes.concat(node, proof[i]));
        }
    }
}
