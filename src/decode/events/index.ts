/**
 * All protocols. If two definitions fit a log, the one for known addresses counts; apart from that, at most one fits.
 */
import type { Protocol } from '../definition/definition.js';
import { aaveV3 } from './aaveV3.js';
import { administration } from './administration.js';
import { compoundV2, compoundV3 } from './compound.js';
import { entryPoint } from './entryPoint.js';
import { messageService } from './messageService.js';
import { names } from './names.js';
import { nativeValue } from './nativeValue.js';
import { across, cctp, oft } from './otherBridges.js';
import { balancerV2, curve } from './otherPools.js';
import { permit2 } from './permit2.js';
import { safe, safeFactory } from './safe.js';
import { seaport } from './seaport.js';
import { tokenBridge } from './tokenBridge.js';
import { tokens } from './tokens.js';
import { solidly, uniswapV2, uniswapV2Factory } from './uniswapV2.js';
import { pancakeV3, uniswapV3, uniswapV3Factory, uniswapV3Positions } from './uniswapV3.js';
import { uniswapV4 } from './uniswapV4.js';
import { vaults } from './vaults.js';
import { wrappedNative } from './wrappedNative.js';

export const protocols: readonly Protocol[] = [
  tokens,
  nativeValue,
  vaults,
  wrappedNative,
  entryPoint,
  uniswapV2,
  uniswapV2Factory,
  solidly,
  uniswapV3,
  uniswapV3Factory,
  uniswapV3Positions,
  pancakeV3,
  uniswapV4,
  balancerV2,
  curve,
  aaveV3,
  compoundV2,
  compoundV3,
  permit2,
  safe,
  safeFactory,
  names,
  seaport,
  messageService,
  tokenBridge,
  cctp,
  oft,
  across,
  administration,
];
