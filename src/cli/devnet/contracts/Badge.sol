// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

/// @title An NFT of the devnet (ERC-721): whoever asks gets one.
contract Badge {
    string public constant name = "Devnet Badge";
    string public constant symbol = "BADGE";

    mapping(uint256 id => address owner) private owners;
    mapping(address owner => uint256 count) public balanceOf;
    mapping(uint256 id => address approved) public getApproved;
    mapping(address owner => mapping(address operator => bool isApproved)) public isApprovedForAll;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed approved, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool isApproved);

    error NoSuchBadge(uint256 id);
    error NotAllowed(address caller, uint256 id);
    error WrongReceiver(address to);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        // ERC-165, ERC-721, and names and symbols of ERC-721
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function ownerOf(uint256 id) public view returns (address owner) {
        owner = owners[id];
        if (owner == address(0)) revert NoSuchBadge(id);
    }

    function tokenURI(uint256 id) external view returns (string memory) {
        ownerOf(id);
        return "";
    }

    function mint() external returns (uint256 id) {
        id = ++totalSupply;
        owners[id] = msg.sender;
        balanceOf[msg.sender]++;
        emit Transfer(address(0), msg.sender, id);
    }

    function approve(address approved, uint256 id) external {
        address owner = ownerOf(id);
        if (msg.sender != owner && !isApprovedForAll[owner][msg.sender]) revert NotAllowed(msg.sender, id);
        getApproved[id] = approved;
        emit Approval(owner, approved, id);
    }

    function setApprovalForAll(address operator, bool isApproved) external {
        isApprovedForAll[msg.sender][operator] = isApproved;
        emit ApprovalForAll(msg.sender, operator, isApproved);
    }

    function transferFrom(address from, address to, uint256 id) public {
        address owner = ownerOf(id);
        bool isAllowed =
            msg.sender == owner || msg.sender == getApproved[id] || isApprovedForAll[owner][msg.sender];
        if (!isAllowed || from != owner) revert NotAllowed(msg.sender, id);
        if (to == address(0)) revert WrongReceiver(to);
        delete getApproved[id];
        owners[id] = to;
        balanceOf[from]--;
        balanceOf[to]++;
        emit Transfer(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        safeTransferFrom(from, to, id, "");
    }

    function safeTransferFrom(address from, address to, uint256 id, bytes memory data) public {
        transferFrom(from, to, id);
        if (to.code.length == 0) return;
        bytes4 answer = Receiver(to).onERC721Received(msg.sender, from, id, data);
        if (answer != Receiver.onERC721Received.selector) revert WrongReceiver(to);
    }
}
