/** ABIs that readers need most: functions of the token standards that read. */

/** Characters of an ABI; the largest that contracts have come to some hundred thousand. */
export const mostAbiText = 500_000;

export const presets = [
  {
    name: 'ERC-20',
    text: `function name() view returns (string)
function symbol() view returns (string)
function decimals() view returns (uint8)
function totalSupply() view returns (uint256)
function balanceOf(address owner) view returns (uint256)
function allowance(address owner, address spender) view returns (uint256)`,
  },
  {
    name: 'ERC-721',
    text: `function name() view returns (string)
function symbol() view returns (string)
function balanceOf(address owner) view returns (uint256)
function ownerOf(uint256 tokenId) view returns (address)
function tokenURI(uint256 tokenId) view returns (string)
function getApproved(uint256 tokenId) view returns (address)
function isApprovedForAll(address owner, address operator) view returns (bool)`,
  },
  {
    name: 'ERC-1155',
    text: `function uri(uint256 id) view returns (string)
function balanceOf(address account, uint256 id) view returns (uint256)
function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])
function isApprovedForAll(address account, address operator) view returns (bool)`,
  },
] as const;
