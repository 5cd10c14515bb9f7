/**
 * The explorer in headless Chromium, before a devnet: every view, and servers that lie. Needs Chromium at
 * /usr/bin/chromium, or where CHROMIUM says.
 */
import { testAddress } from './explorer/address.js';
import { openWorld } from './explorer/world.js';

const world = await openWorld();
try {
  await testAddress(world);
} finally {
  await world.close();
}
