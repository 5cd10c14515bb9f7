/** ERC-721 contracts of one token, whose document stands in its own URL, or nowhere. */
import { encodeAbiParameters } from 'viem';
import type { Hex } from '../../../src/bytes.js';
import { topics } from '../../../src/indexer/logs/events.js';
import type { Anvil } from '../anvil.js';
import { assemble, initOf } from './assemble.js';
import { deployAnywhere } from './contract.js';
import { longText, word } from './hostile.js';

const sizeOf = (hex: Hex): number => (hex.length - 2) / 2;
const push2 = (value: number) => `0x${value.toString(16).padStart(4, '0')}`;

/** @param uri what `tokenURI` does; it may read the data behind the code, from the place that it is given */
function codeOf(owner: Hex, uri: (place: number) => string, data: Hex = '0x'): Hex {
  const at = (place: number) =>
    assemble(`
      PUSH0 CALLDATALOAD 0xe0 SHR
      DUP1 0x6352211e EQ @owner JUMPI
      0xc87b56dd EQ @uri JUMPI
      PUSH0 PUSH0 REVERT
      owner: ${word(owner)}
      uri: ${uri(place)}`);
  return `${at(sizeOf(at(0)))}${data.slice(2)}`;
}

/** A token came to the owner from nowhere. */
const arrive = (owner: Hex, id: number) =>
  `${push2(id)} ${owner} PUSH0 ${topics.transfer} PUSH0 PUSH0 LOG4`;

/** Deploys a contract whose `tokenURI` is a text. */
export async function deployWithUri(
  node: Anvil,
  { owner, id, uri }: { owner: Hex; id: number; uri: string },
): Promise<Hex> {
  const data = encodeAbiParameters([{ type: 'string' }], [uri]);
  const copy = (place: number) =>
    `${push2(sizeOf(data))} ${push2(place)} PUSH0 CODECOPY ${push2(sizeOf(data))} PUSH0 RETURN`;
  const bytecode = initOf(codeOf(owner, copy, data), arrive(owner, id));
  return (await deployAnywhere(node, { abi: [], bytecode })).address;
}

/** What a hostile `tokenURI` does. */
export const hostileUris = {
  reverts: 'PUSH0 PUSH0 REVERT',
  burnsGas: 'again: @again JUMP',
  nothing: 'STOP',
  halfWord: '0x10 PUSH0 RETURN',
  zeros: '0x0fff PUSH0 RETURN',
  megabyte: longText('100000'),
} as const;

export async function deployHostileUri(
  node: Anvil,
  name: keyof typeof hostileUris,
  { owner, id }: { owner: Hex; id: number },
): Promise<Hex> {
  const code = codeOf(owner, () => hostileUris[name]);
  return (await deployAnywhere(node, { abi: [], bytecode: initOf(code, arrive(owner, id)) }))
    .address;
}
