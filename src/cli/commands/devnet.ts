/** `l2proof devnet`: a chain to try everything on, until a signal ends it. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { missingPeer } from '../../peer.js';
import { visibleLines } from '../../visible.js';
import { type Devnet, openDevnet } from '../devnet/devnet.js';
import { devNetwork, version9Network } from '../devnet/network.js';
import { anvilModule } from '../devnet/node.js';
import { finalizedOf, outcomeOf, overviewOf, tryText } from '../devnet/overview.js';
import { runStep, stepsOf, type TryStep } from '../devnet/steps.js';
import { createSupervisor, type Supervisor } from '../devnet/supervisor.js';
import { exitCodes, UsageError } from '../exit/exit.js';
import { devnetPeers, userOf } from '../exit/needs.js';
import { readArgs } from '../flags/args.js';
import { devnetFlags } from '../flags/devnetFlags.js';
import { onSignal } from '../listen/listen.js';
import { printEvent, type Result } from '../print/result.js';

/** Refuses to begin if one of the processes would miss a package. @throws CliError */
function checkPeers(): void {
  const user = userOf('the devnet', devnetPeers);
  for (const name of devnetPeers) {
    try {
      // Of a program nothing can be imported.
      import.meta.resolve(name === '@foundry-rs/anvil' ? anvilModule : name);
    } catch (cause) {
      throw missingPeer(user, name, cause);
    }
  }
}

/** Shows something: to a person, or to a program. */
type Say = (result: Result) => void;

/** Runs the commands side by side, and shows them in their order. @throws CliError */
async function showSteps(
  steps: readonly TryStep[],
  supervisor: Supervisor,
  say: Say,
): Promise<void> {
  const outputs = steps.map((step) => runStep(step, supervisor));
  // One that fails before it is waited for is no rejection that nobody handles.
  Promise.all(outputs).catch(() => {});
  for (const [i, step] of steps.entries())
    say(outcomeOf(step, (await outputs[i]) as string, i + 1));
}

/** Ms between two looks at the follower's store. */
const pause = 250;

/** Puts roots on L1 without end. @throws CliError once something fails */
async function operate(devnet: Devnet, say: Say): Promise<never> {
  for (;;) {
    const finalized = await devnet.finalize();
    if (finalized) say(finalizedOf(finalized));
    await sleep(pause);
  }
}

/** Resolves with the signal's abort, or once nobody reads what the command prints. */
const untilOver = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
    process.stdout.once('error', () => resolve(undefined));
  });

/** Runs the command. @throws CliError */
export async function runDevnet(args: readonly string[]): Promise<undefined> {
  const { values } = readArgs(args, devnetFlags, 0);
  const { json, once, version9, port } = values;
  if (port !== undefined && (port === 0 || port > 65_532)) {
    throw new UsageError(
      '--port expected a number from 1 to 65532: the three behind it are used, too',
    );
  }
  const say: Say = ({ text, value }) =>
    json ? printEvent(value) : console.log(visibleLines(text));
  checkPeers();
  const folder = await mkdtemp(join(tmpdir(), 'l2proof-devnet-'));
  const main = process.argv[1] as string;
  // The command is bundled: its files stand side by side.
  const keeperFile = fileURLToPath(new URL('keeper.js', import.meta.url));
  const supervisor = createSupervisor({ main, keeperFile, folder });
  const ending = onSignal({ reason: new Error('stopped by a signal'), code: exitCodes.verified });
  const over = untilOver(ending.signal);
  let devnet: Devnet | undefined;
  try {
    if (!json) console.log('Starting two chains, and all of l2proof on them');
    const opening = openDevnet({
      supervisor,
      folder,
      network: version9 ? version9Network : devNetwork,
      port,
    });
    devnet = await Promise.race([opening, over]);
    if (devnet === undefined) return;
    const steps = stepsOf(devnet);
    say(overviewOf(devnet, steps));
    if (once) await Promise.race([showSteps(steps, supervisor, say), over]);
    else {
      if (!json) console.log(`\n${tryText(steps)}\n`);
      await Promise.race([operate(devnet, say), over]);
    }
  } finally {
    await devnet?.close();
    await supervisor.stop();
    ending.stop();
  }
}
