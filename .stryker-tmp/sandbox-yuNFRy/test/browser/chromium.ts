/** The browser that tests open. */
// @ts-nocheck

import { existsSync } from 'node:fs';

export const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.error(
    `no Chromium at ${executablePath}; run: apt-get update && apt-get install -y chromium`,
  );
  process.exit(1);
}

export const browserArgs = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
