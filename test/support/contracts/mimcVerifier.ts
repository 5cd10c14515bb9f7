/**
 * A path verifier of the MiMC family with the functions of the published one, by the published description of hash and tree. It
 * checks no more than that one: one path to one root.
 */
export const verifierSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Rollup {
    mapping(uint256 => bytes32) public stateRootHashes;
    function set(uint256 n, bytes32 root) external { stateRootHashes[n] = root; }
}

contract Verifier {
    uint256 private constant P = 0x12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001;

    function constants() private pure returns (uint256[62] memory c) {
        bytes32 h = keccak256("seed");
        for (uint256 i = 0; i < 62; i++) {
            h = keccak256(abi.encode(h));
            c[i] = uint256(h) % P;
        }
    }

    function hash(bytes memory input, uint256[62] memory c) private pure returns (uint256 digest) {
        for (uint256 offset = 0; offset < input.length; offset += 32) {
            assembly {
                let message := mload(add(add(input, 32), offset))
                let x := message
                for { let i := 0 } lt(i, 62) { i := add(i, 1) } {
                    let base := addmod(addmod(x, digest, P), mload(add(c, mul(i, 32))), P)
                    let y := mulmod(base, base, P)
                    y := mulmod(y, y, P)
                    y := mulmod(y, y, P)
                    y := mulmod(y, y, P)
                    x := mulmod(y, base, P)
                }
                digest := addmod(addmod(addmod(x, digest, P), digest, P), message, P)
            }
        }
    }

    function mimcHash(bytes calldata input) external pure returns (bytes32) {
        return bytes32(hash(input, constants()));
    }

    function hashStorageValue(bytes32 value) public pure returns (bytes32) {
        return bytes32(hash(abi.encode(uint256(value) & type(uint128).max, uint256(value) >> 128), constants()));
    }

    function hashAccountValue(bytes calldata value) external pure returns (bytes32) {
        uint256 code = uint256(bytes32(value[128:160]));
        bytes memory halves = abi.encode(code & type(uint128).max, code >> 128);
        return bytes32(hash(bytes.concat(value[:128], halves, value[160:]), constants()));
    }

    function verifyProof(bytes[] calldata nodes, uint256 leafIndex, bytes32 root) external pure returns (bool) {
        require(nodes.length == 42 && leafIndex < 1 << 40);
        uint256[62] memory c = constants();
        uint256 node = hash(nodes[41], c);
        for (uint256 height = 0; height < 40; height++) {
            uint256 sibling = height == 0 && nodes[40].length == 32 ? 0 : hash(nodes[40 - height], c);
            bool isRight = (leafIndex >> height) & 1 == 1;
            node = hash(isRight ? abi.encode(sibling, node) : abi.encode(node, sibling), c);
        }
        return hash(abi.encode(bytes32(nodes[0][:32]), node), c) == uint256(root);
    }
}
`;
