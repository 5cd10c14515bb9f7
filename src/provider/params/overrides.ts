/** State overrides, as geth takes them. */
import type { Hex } from '../../bytes.js';
import type { AccountOverride, Overrides } from '../../evm/index.js';
import { dataBytes, hexText } from '../../foreign/values.js';
import { openParam, readAmountParam, readGiven, readSmall } from './callParams.js';
import { invalidParams } from './errors.js';
import { readSlot } from './params.js';

/** Limits of all overrides of a call. */
const limits = { accounts: 512, slots: 16_384, codeBytes: 1024 * 1024 };

const members = ['nonce', 'balance', 'code', 'state', 'stateDiff'];

function checkMembers(source: object, at: string): void {
  const unknown = Object.keys(source).find((name) => !members.includes(name));
  if (unknown === undefined) return;
  const text = `${at}.${unknown.slice(0, 40)} is not supported; supported: ${members.join(', ')}`;
  throw invalidParams(text);
}

/** @throws ProviderError */
export function readOverrides(value: unknown, at: string): Overrides {
  const overrides = new Map<Hex, AccountOverride>();
  if (value === undefined || value === null) return overrides;
  let slots = 0;
  let codeBytes = 0;
  const check = () => {
    if (
      overrides.size <= limits.accounts &&
      slots <= limits.slots &&
      codeBytes <= limits.codeBytes
    ) {
      return;
    }
    const text = `${limits.accounts} accounts, ${limits.slots} slots and ${limits.codeBytes} bytes of code`;
    throw invalidParams(`${at} expected at most ${text}`);
  };

  function readSlots(given: unknown, where: string): Map<Hex, Hex> {
    const entries = Object.entries(openParam(given, where).target);
    slots += entries.length;
    check();
    return new Map(
      entries.map(([key, word]) => [
        readSlot(key, `${where}, a key`),
        readSlot(word, `${where}.${key.slice(0, 66)}`),
      ]),
    );
  }

  function readCode(given: unknown, where: string): Uint8Array {
    const code = dataBytes(given, limits.codeBytes);
    if (code === undefined) throw invalidParams(`${where} expected code in hex`);
    codeBytes += code.length;
    check();
    return code;
  }

  for (const [key, given] of Object.entries(openParam(value, at).target)) {
    const address = hexText(key, 20);
    const where = `${at}.${key.slice(0, 42)}`;
    if (address === undefined || overrides.has(address)) {
      throw invalidParams(`${where} expected an address of 20 bytes, each once`);
    }
    const source = openParam(given, where);
    checkMembers(source.target, where);
    const override: AccountOverride = {
      nonce: readGiven(source, 'nonce', readSmall),
      balance: readGiven(source, 'balance', readAmountParam),
      code: readGiven(source, 'code', readCode),
      state: readGiven(source, 'state', readSlots),
      stateDiff: readGiven(source, 'stateDiff', readSlots),
    };
    if (override.state && override.stateDiff) {
      throw invalidParams(`${where} has "state" and "stateDiff"`);
    }
    overrides.set(address, override);
    check();
  }
  return overrides;
}
