/** `l2proof devnet`: a chain to try everything on, until a signal ends it. */
import { realpathSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPeer } from '../../peer.js';
import { visibleLines } from '../../visible.js';
import { type Devnet, openDevnet } from '../devnet/devnet.js';
import { accounts, devNetwork } from '../devnet/network.js';
import { anvilModule } from '../devnet/node.js';
import { finalizedText, outcomeText, overviewOf, tryText } from '../devnet/overview.js';
import { runStep, stepsOf } from '../devnet/steps.js';
import { createSupervisor, type Supervisor } from '../devnet/supervisor.js';
import { exitCodes } from '../exit/exit.js';
import { devnetPeers, userOf } from '../exit/needs.js';
import { readArgs } from '../flags/args.js';
import { devnetFlags } from '../flags/devnetFlags.js';
import { onSignal } from '../listen/listen.js';

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

/** How a devnet is shown: to a person, or to a program. */
interface Form {
  readonly isJson: boolean;
  readonly say: (text: string, json: unknown) => void;
}

/** Runs the commands side by side, and shows them in their order. @throws CliError */
async function showSteps(devnet: Devnet, supervisor: Supervisor, { say }: Form): Promise<void> {
  const steps = stepsOf(devnet);
  const outcomes = steps.map((step) => runStep(step, supervisor));
  // One that fails before it is waited for is no rejection that nobody handles.
  Promise.all(outcomes).catch(() => {});
  for (const [i, step] of steps.entries()) {
    const output = (await outcomes[i]) as string;
    const { title, line, note } = step;
    say(outcomeText(step, output, i + 1), { title, line, note, output });
  }
}

/** The devnet for a program. */
function describe(devnet: Devnet) {
  const { operate: _, ...parts } = devnet;
  const commands = stepsOf(devnet).map(({ title, line }) => ({ title, line }));
  return { ...parts, accounts, commands };
}

/** Runs the command. @throws CliError */
export async function runDevnet(args: readonly string[]): Promise<undefined> {
  const { values } = readArgs(args, devnetFlags, 0);
  const form: Form = {
    isJson: values.json,
    say: (text, json) => console.log(values.json ? JSON.stringify(json) : visibleLines(text)),
  };
  checkPeers();
  const main = realpathSync(process.argv[1] as string);
  const folder = await mkdtemp(join(tmpdir(), 'l2proof-devnet-'));
  const supervisor = createSupervisor(main, folder);
  const ending = onSignal({ reason: new Error('stopped by a signal'), code: exitCodes.verified });
  const { signal } = ending;
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
  });
  try {
    if (!values.json) console.log('Starting two chains, and all of l2proof on them');
    const opening = openDevnet({ supervisor, main, folder, network: devNetwork });
    const devnet = await Promise.race([opening, aborted]);
    if (devnet === undefined) return;
    form.say(overviewOf(devnet), describe(devnet));
    if (values.once) await Promise.race([showSteps(devnet, supervisor, form), aborted]);
    else {
      if (!values.json) console.log(`\n${tryText(stepsOf(devnet))}\n`);
      await devnet.operate((finalized) => form.say(finalizedText(finalized), finalized), signal);
    }
  } finally {
    await supervisor.stop();
    ending.stop();
  }
}
