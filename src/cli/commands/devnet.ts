/** `l2proof devnet`: a chain to try everything on, until a signal ends it. */
import { realpathSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPeer } from '../../peer.js';
import { visibleLines } from '../../visible.js';
import { type Devnet, openDevnet } from '../devnet/devnet.js';
import { devNetwork } from '../devnet/network.js';
import { outcomeText, overviewOf, tryText } from '../devnet/overview.js';
import { runStep, type Step, stepsOf } from '../devnet/steps.js';
import { createSupervisor, type Supervisor } from '../devnet/supervisor.js';
import { exitCodes } from '../exit/exit.js';
import { devnetPeers, userOf } from '../exit/needs.js';
import { readArgs } from '../flags/args.js';
import { devnetFlags } from '../flags/devnetFlags.js';
import { type Ending, onSignal } from '../listen/listen.js';

/** Refuses to begin if one of the processes would miss a package. @throws CliError */
function checkPeers(): void {
  const user = userOf('the devnet', devnetPeers);
  for (const name of devnetPeers) {
    try {
      import.meta.resolve(name);
    } catch (cause) {
      throw missingPeer(user, name, cause);
    }
  }
}

const say = (text: string) => console.log(visibleLines(text));

/** Runs the commands side by side, and shows them in their order. */
async function showSteps(steps: readonly Step[], supervisor: Supervisor): Promise<void> {
  const outcomes = steps.map((step) => runStep(step, supervisor));
  // The first that fails ends the devnet, whichever is waited for.
  const all = Promise.all(outcomes);
  for (const [i, step] of steps.entries()) {
    const printed = await Promise.race([outcomes[i] as Promise<string>, all.then(() => '')]);
    say(outcomeText(step, printed, i + 1));
  }
}
