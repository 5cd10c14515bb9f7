/** Tokens: OpenZeppelin's presets, of which the first account is the minter, and wrapped native. */
import type { AnvilCalls } from '../anvil.js';
import { artifact, type Contract, deploy, deployAnywhere } from './contract.js';

const preset = (name: string) => artifact(`@openzeppelin/contracts/build/contracts/${name}.json`);

export const deployErc20 = (node: AnvilCalls, name = 'Gold', symbol = 'GLD'): Promise<Contract> =>
  deploy(node, preset('ERC20PresetMinterPauser'), name, symbol);

/** Ids count up from 0: `mint(to)`. */
export const deployErc721 = (node: AnvilCalls): Promise<Contract> =>
  deploy(node, preset('ERC721PresetMinterPauserAutoId'), 'Deed', 'DEED', 'https://deeds.example/');

export const deployErc1155 = (node: AnvilCalls): Promise<Contract> =>
  deploy(node, preset('ERC1155PresetMinterPauser'), 'https://goods.example/{id}');

export const deployWrappedNative = (node: AnvilCalls): Promise<Contract> =>
  deployAnywhere(node, artifact('@uniswap/v2-periphery/build/WETH9.json'));
