/** What the view of an address asks, in a process of Node. Prints its processor time, in ms. */
import type { Hex } from '../src/index.js';
import { questions } from '../src/page/prover/questions.js';
import { openSession } from '../src/page/prover/session.js';

const { settings, address } = JSON.parse(process.argv[2] as string);
const session = await openSession(settings);
const means = { signal: new AbortController().signal, say: () => {} };
const asked = { address: address as Hex, page: 0 };
await questions.account(session, asked, means);
// As the view does: what remains is asked at once.
await Promise.all([
  questions.tokens(session, asked, means),
  questions.transactions(session, asked, means),
  questions.transfers(session, asked, means),
  questions.nfts(session, asked, means),
  questions.allowances(session, asked, means),
  questions.nftApprovals(session, asked, means),
]);
const { user, system } = process.cpuUsage();
console.log((user + system) / 1000);
process.exit();
