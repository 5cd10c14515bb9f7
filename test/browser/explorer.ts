/**
 * The explorer in headless Chromium, before a devnet: every view, and servers that lie. Needs Chromium at
 * /usr/bin/chromium, or where CHROMIUM says.
 */
import { testAddress } from './explorer/address.js';
import { testAnatomy } from './explorer/anatomy.js';
import { blockLies } from './explorer/blockLies.js';
import { testBlocks } from './explorer/blocks.js';
import { testContract } from './explorer/contract.js';
import { testHoldings } from './explorer/holdings.js';
import { testLies } from './explorer/lies.js';
import { stateLies } from './explorer/stateLies.js';
import { testListLies } from './explorer/testListLies.js';
import { testTrust } from './explorer/trust.js';
import { testReorg, testWeather } from './explorer/weather.js';
import { openWorld } from './explorer/world.js';

const world = await openWorld();
try {
  await testAddress(world);
  await testAnatomy(world);
  await testTrust(world);
  await testWeather(world);
  await testLies(world, stateLies);
  // These give the devnet further transactions.
  await testBlocks(world);
  await testContract(world);
  await testLies(world, blockLies(world));
  await testHoldings(world);
  await testListLies(world);
  await testReorg(world);
} finally {
  await world.close();
}
