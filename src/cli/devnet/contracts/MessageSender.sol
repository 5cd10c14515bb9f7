// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The contract that sends messages to L1, on L2.
/// @dev Its event is that of the public one: message trees are built of it.
contract MessageSender {
    /// @notice How many messages were sent; the number of the last one.
    uint256 public messageCount;

    event MessageSent(
        address indexed from,
        address indexed to,
        uint256 fee,
        uint256 value,
        uint256 nonce,
        bytes data,
        bytes32 indexed messageHash
    );

    error FeeAboveValue(uint256 fee, uint256 value);

    /// @notice Sends a message, and the ether beside the fee with it.
    /// @param to who is called on L1
    /// @param fee wei of the value for whoever claims it
    /// @param data call data on L1
    function sendMessage(address to, uint256 fee, bytes calldata data) external payable {
        if (fee > msg.value) revert FeeAboveValue(fee, msg.value);
        uint256 value = msg.value - fee;
        uint256 number = ++messageCount;
        bytes32 messageHash = keccak256(abi.encode(msg.sender, to, fee, value, number, data));
        emit MessageSent(msg.sender, to, fee, value, number, data, messageHash);
    }
}
