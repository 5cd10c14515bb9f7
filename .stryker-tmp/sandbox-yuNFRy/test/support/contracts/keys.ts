/** Anvil's own keys of its first two accounts. */
// @ts-nocheck

import { privateKeyToAccount } from 'viem/accounts';

export const signers = [
  privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'),
  privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'),
] as const;
