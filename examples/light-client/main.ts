import type { Hex } from 'l2proof';
import { accountOf, trusts } from './client';

const form = document.querySelector('form') as HTMLFormElement;
const output = document.querySelector('output') as HTMLOutputElement;
const alert = document.querySelector('[role=alert]') as HTMLElement;
(document.querySelector('#trusts') as HTMLElement).textContent = trusts;

async function show(address: Hex, trusted: Hex): Promise<void> {
  output.textContent = 'Looking ...';
  alert.textContent = '';
  const { account, anchor } = await accountOf(address, trusted);
  const { how, l1, l2BlockNumber, consensus } = anchor;
  output.textContent = [
    account ? `${account.balance} wei, nonce ${account.nonce}: proven` : 'no such account: proven',
    `at L2 block ${l2BlockNumber}, in the state that L1 block ${l1.blockNumber} has (${how})`,
    consensus && `signed by ${consensus.signers} of ${consensus.committeeSize} validators`,
  ]
    .filter(Boolean)
    .join('\n');
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const given = new FormData(form);
  show(given.get('address') as Hex, given.get('trusted') as Hex).catch((error: Error) => {
    // Nothing of a false answer is shown.
    output.textContent = '';
    alert.textContent = error.message;
  });
});
