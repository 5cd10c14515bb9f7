import { BaseError, isAddress } from 'viem';
import { holdingsOf } from './wallet';

const form = document.querySelector('form') as HTMLFormElement;
const figures = document.querySelector('#figures') as HTMLElement;
const rests = document.querySelector('#rests') as HTMLElement;
const alert = document.querySelector('[role=alert]') as HTMLElement;

/** As text, never as HTML: a token chooses its symbol itself. */
function element(tag: string, text: string, className = ''): HTMLElement {
  return Object.assign(document.createElement(tag), { textContent: text, className });
}

/** How often it was looked: an answer to an older question than the last is not shown. */
let looks = 0;

async function show(owner: string, look: number): Promise<void> {
  figures.replaceChildren();
  rests.textContent = 'Looking ...';
  alert.textContent = '';
  if (!isAddress(owner)) throw new Error('that is no address');
  const holdings = await holdingsOf(owner, import.meta.env.VITE_TOKEN);
  if (look !== looks) return;
  const entries = holdings.figures.flatMap(({ name, text, assumed }) => {
    const mark = assumed.length === 0 ? 'proven' : 'assumed';
    return [element('dt', name), element('dd', [text, ...assumed].join(' '), mark)];
  });
  figures.replaceChildren(...entries);
  const { l2BlockNumber, how } = holdings;
  // README.md says how to believe less.
  const root = how === 'call' ? 'root: one endpoint believed' : `root: ${how}`;
  rests.textContent = `${owner} at L2 block ${l2BlockNumber}, under the state root on L1 (${root}).`;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  looks++;
  const look = looks;
  show(String(new FormData(form).get('address')), look).catch((error: Error) => {
    if (look !== looks) return;
    // Nothing of a false answer is shown.
    figures.replaceChildren();
    rests.textContent = '';
    alert.textContent = error instanceof BaseError ? error.shortMessage : error.message;
  });
});
form.requestSubmit();
