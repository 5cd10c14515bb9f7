// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What stands at the address of the rollup contract on L1, as on the public network: the code is elsewhere.
contract Proxy {
    /// @dev Where the address of the code is: keccak256("eip1967.proxy.implementation") - 1. The genesis sets it.
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
