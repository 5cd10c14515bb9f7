// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./Fungible.sol";

/// @title A token of the devnet: a million for whoever deploys it.
contract Dollar is Fungible {
    string public constant name = "Devnet Dollar";
    string public constant symbol = "DUSD";
    uint8 public constant decimals = 6;

    constructor() {
        mint(msg.sender, 1_000_000e6);
    }
}
