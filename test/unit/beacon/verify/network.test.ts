import { describe, expect, test } from 'vitest';
import {
  type BeaconNetworkOptions,
  beaconNetworks,
  defineBeaconNetwork,
} from '../../../../src/beacon/index.js';
import { periodAt, slotAt, slotTime, versionAt } from '../../../../src/beacon/verify/network.js';

const { mainnet, sepolia } = beaconNetworks;
const forks = { electra: { version: '0x05000001', epoch: 0 } } as const;
const given: BeaconNetworkOptions = {
  genesisTime: 1,
  genesisValidatorsRoot: `0x${'AB'.repeat(32)}`,
  forks,
};

test('what is not given is as on mainnet', () => {
  const network = defineBeaconNetwork(given);
  expect(network).toEqual({
    ...{ name: 'custom', genesisTime: 1, genesisValidatorsRoot: `0x${'ab'.repeat(32)}`, forks },
    ...{ secondsPerSlot: 12, slotsPerEpoch: 32, epochsPerPeriod: 256, committeeSize: 512 },
  });
  expect(Object.isFrozen(network) && Object.isFrozen(network.forks)).toBe(true);
  expect(defineBeaconNetwork(mainnet)).toEqual(mainnet);
});

test('slots have a time, a period and a fork', () => {
  // Slot 7,109,344 of mainnet: its block says 1692136151.
  expect(slotTime(mainnet, 7_109_344)).toBe(1_692_136_151);
  expect(slotAt(mainnet, 1_692_136_151_000)).toBe(7_109_344);
  expect(slotAt(mainnet, 1_692_136_162_999)).toBe(7_109_344);
  expect(slotAt(mainnet, 0)).toBeLessThan(0);
  expect(periodAt(mainnet, 8191)).toBe(0);
  expect(periodAt(mainnet, 8192)).toBe(1);
  expect(versionAt(mainnet, 194_048 * 32 - 1)).toBe('0x02000000');
  expect(versionAt(mainnet, 194_048 * 32)).toBe('0x03000000');
  expect(versionAt(mainnet, 0)).toBeUndefined();
  // 2026-10-06 13:53:36 UTC.
  expect(slotTime(sepolia, 353_024 * 32)).toBe(Date.UTC(2026, 9, 6, 13, 53, 36) / 1000);
  expect(versionAt(sepolia, 353_024 * 32)).toBe('0x90000076');
});

describe('a wrong member is named', () => {
  test.each<[string, object, string]>([
    ['a misspelt one', { slotPerEpoch: 8 }, '"network.slotPerEpoch" is unknown'],
    ['name', { name: '' }, '"name" expected text'],
    ['time', { genesisTime: '1' }, '"genesisTime" expected a number'],
    ['root', { genesisValidatorsRoot: '0x' }, '"genesisValidatorsRoot" expected 0x and 64'],
    ['no forks', { forks: {} }, '"forks" expected one fork or more'],
    ['a fork', { forks: { prague: forks.electra } }, '"forks.prague" is unknown'],
    [
      'an epoch',
      { forks: { electra: { ...forks.electra, epoch: 0.5 } } },
      '"forks.electra.epoch" expected a whole',
    ],
    [
      'order',
      { forks: { deneb: { version: '0x04000001', epoch: 1 }, ...forks } },
      '"forks.electra.epoch" expected one not before the earlier fork',
    ],
    [
      'a version',
      { forks: { electra: { version: '0x05', epoch: 0 } } },
      '"forks.electra.version" expected 0x and 8',
    ],
    ['seconds', { secondsPerSlot: 0 }, '"secondsPerSlot" expected a whole number from 1'],
    ['epochs', { epochsPerPeriod: 1.5 }, '"epochsPerPeriod" expected a whole number from 1'],
    ['slots', { slotsPerEpoch: 2 ** 20 }, '"slotsPerEpoch" expected a whole number from 1'],
    ['a committee', { committeeSize: 100 }, '"committeeSize" expected a power of two'],
    ['a small committee', { committeeSize: 4 }, '"committeeSize" expected a whole number from 8'],
  ])('%s', (_, change, message) => {
    expect(() => defineBeaconNetwork({ ...given, ...change } as never)).toThrow(message);
  });
});
