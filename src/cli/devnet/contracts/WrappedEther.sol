// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./Fungible.sol";

/// @title Ether of the devnet as a token.
contract WrappedEther is Fungible {
    string public constant name = "Wrapped Ether";
    string public constant symbol = "WETH";
    uint8 public constant decimals = 18;

    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    error NotPaid();

    function deposit() external payable {
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 value) external {
        uint256 held = balanceOf[msg.sender];
        require(held >= value, "ERC20: transfer amount exceeds balance");
        balanceOf[msg.sender] = held - value;
        totalSupply -= value;
        emit Withdrawal(msg.sender, value);
        (bool paid,) = msg.sender.call{value: value}("");
        if (!paid) revert NotPaid();
    }
}
