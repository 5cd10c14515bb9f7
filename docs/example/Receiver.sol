// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice The path verifier on L1, for roots of the MiMC family.
interface IPathVerifier {
    function verifyProof(bytes[] calldata nodes, uint256 leafIndex, bytes32 root) external view returns (bool);
    function mimcHash(bytes calldata input) external view returns (bytes32);
    function hashAccountValue(bytes calldata value) external view returns (bytes32);
    function hashStorageValue(bytes32 value) external view returns (bytes32);
}

/// @notice The rollup contract on L1.
interface IRollup {
    function stateRootHashes(uint256 blockNumber) external view returns (bytes32);
}

/// @title Learns the value of one storage slot of one account on L2.
/// @dev An example: it makes the calls of `toCalldata`, and every check that the path verifier leaves to its caller. Their
/// names stand beside them. Account and slot are its own, and the root is the rollup's: nobody who calls it can choose them.
contract Receiver {
    /// @notice A path as the proof server gives it: 42 nodes, `proofRelatedNodes`.
    struct Path {
        bytes[] nodes;
        uint256 leafIndex;
    }

    uint256 private constant MODULUS = 0x12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001;
    uint256 private constant MAX_INDEX = 1 << 40;

    IPathVerifier public immutable verifier;
    IRollup public immutable rollup;
    address public immutable account;
    bytes32 public immutable slot;

    /// @notice The L2 block that the value is of.
    uint256 public lastBlock;
    /// @notice The value after that block.
    bytes32 public value;

    error Unproven(string check);
    error OldBlock(uint256 lastBlock);
    error UnknownRoot(uint256 blockNumber);

    constructor(IPathVerifier verifier_, IRollup rollup_, address account_, bytes32 slot_) {
        (verifier, rollup, account, slot) = (verifier_, rollup_, account_, slot_);
    }

    /// @notice Takes the value of a slot that exists.
    function receiveValue(
        uint256 blockNumber,
        Path calldata accountPath,
        bytes calldata accountValue,
        Path calldata slotPath,
        bytes32 slotValue
    ) external {
        bytes32 storageRoot = proveAccount(blockNumber, accountPath, accountValue);
        (bytes32 hKey, bytes32 hValue,,) = provePath(slotPath, storageRoot);
        proveKey(hKey, verifier.hashStorageValue(slot));
        must(hValue == verifier.hashStorageValue(slotValue), "VALUE");
        value = slotValue;
    }

    /// @notice Learns that the slot holds zero: the paths of both its neighbours show that it is not there.
    function receiveAbsence(
        uint256 blockNumber,
        Path calldata accountPath,
        bytes calldata accountValue,
        Path calldata left,
        Path calldata right
    ) external {
        bytes32 storageRoot = proveAccount(blockNumber, accountPath, accountValue);
        bytes32 hKey = verifier.hashStorageValue(slot);
        (bytes32 leftKey,,, uint256 next) = provePath(left, storageRoot);
        (bytes32 rightKey,, uint256 prev,) = provePath(right, storageRoot);
        must(next == right.leafIndex && prev == left.leafIndex, "NEIGHBOURS");
        must(leftKey < hKey && hKey < rightKey, "BETWEEN");
        value = 0;
    }

    /// @return the storage root of the account after a block that is newer than the last one
    function proveAccount(uint256 blockNumber, Path calldata path, bytes calldata accountValue)
        private
        returns (bytes32)
    {
        // An old proof is as valid as on its first day.
        if (blockNumber <= lastBlock) revert OldBlock(lastBlock);
        lastBlock = blockNumber;
        // STATE_ROOT: it is no argument.
        bytes32 stateRoot = rollup.stateRootHashes(blockNumber);
        if (stateRoot == 0) revert UnknownRoot(blockNumber);
        (bytes32 hKey, bytes32 hValue,,) = provePath(path, stateRoot);
        // STATEMENT: the key that is hashed is this contract's own, alone in its word.
        proveKey(hKey, verifier.mimcHash(abi.encode(account)));
        must(accountValue.length == 192, "WIDTHS");
        must(word(accountValue, 0) >> 64 == 0 && word(accountValue, 160) >> 64 == 0, "RANGE");
        mustBeCanonical(accountValue[32:128]);
        must(hValue == verifier.hashAccountValue(accountValue), "VALUE");
        // STORAGE_ROOT: paths of slots are held against this one.
        return bytes32(accountValue[64:96]);
    }

    function proveKey(bytes32 hKeyOfLeaf, bytes32 hKey) private pure {
        must(hKeyOfLeaf == hKey, "KEY");
        must(hKey != 0 && uint256(hKey) < MODULUS - 1, "HEAD_OR_TAIL");
    }

    /// @return hKey what the leaf is of
    /// @return hValue what it holds
    /// @return prev the leaf before it
    /// @return next the leaf behind it
    function provePath(Path calldata path, bytes32 root)
        private
        view
        returns (bytes32 hKey, bytes32 hValue, uint256 prev, uint256 next)
    {
        bytes[] calldata nodes = path.nodes;
        must(nodes.length == 42, "WIDTHS");
        for (uint256 i; i < 40; ++i) must(nodes[i].length == 64, "WIDTHS");
        must(nodes[40].length == (isZero(nodes[40]) ? 32 : 128) && nodes[41].length == 128, "WIDTHS");
        for (uint256 i; i < 42; ++i) mustBeCanonical(nodes[i]);
        must(verifier.mimcHash(nodes[0]) == root, "TOP_NODE");
        uint256 nextFreeNode = word(nodes[0], 0);
        must(path.leafIndex < nextFreeNode && nextFreeNode <= MAX_INDEX, "INDEX");
        must(verifier.verifyProof(nodes, path.leafIndex, root), "PATH");
        bytes calldata leaf = nodes[41];
        (prev, next) = (word(leaf, 0), word(leaf, 32));
        must(prev < MAX_INDEX && next < MAX_INDEX, "RANGE");
        (hKey, hValue) = (bytes32(leaf[64:96]), bytes32(leaf[96:128]));
    }

    function mustBeCanonical(bytes calldata elements) private pure {
        for (uint256 place; place < elements.length; place += 32) must(word(elements, place) < MODULUS, "CANONICAL");
    }

    function isZero(bytes calldata node) private pure returns (bool) {
        for (uint256 place; place + 32 <= node.length; place += 32) if (word(node, place) != 0) return false;
        return true;
    }

    function word(bytes calldata from, uint256 place) private pure returns (uint256) {
        return uint256(bytes32(from[place:place + 32]));
    }

    function must(bool holds, string memory check) private pure {
        if (!holds) revert Unproven(check);
    }
}
