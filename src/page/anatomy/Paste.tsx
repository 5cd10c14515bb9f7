/** Where a reader puts an answer of their own. */
import { useState } from 'preact/hooks';
import type { HashFamily, Hex } from '../../index.js';
import type { Pasted } from '../prover/anatomy.js';
import { Explained } from './Explained.js';
import { readAnswer, readFile } from './source.js';

const families: readonly HashFamily[] = ['poseidon2', 'mimc'];

export function Paste() {
  const [text, setText] = useState('');
  const [root, setRoot] = useState('');
  const [address, setAddress] = useState('');
  const [slots, setSlots] = useState('');
  const [hash, setHash] = useState<HashFamily>('poseidon2');
  const [problem, setProblem] = useState('');
  const [pasted, setPasted] = useState<Pasted & { readonly round: number }>();

  /** Fills in what the answer names of its question. */
  function take(given: string) {
    setText(given);
    try {
      const read = readAnswer(given);
      // A compact proof names neither.
      if (read.address !== undefined) {
        setAddress(read.address);
        setSlots(read.slots.join('\n'));
      }
      setProblem('');
    } catch {
      // It is said once the reader asks for it.
    }
  }

  async function drop(event: DragEvent) {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    try {
      take(await readFile(file));
    } catch (error) {
      setProblem((error as Error).message);
    }
  }

  function explain(event: Event) {
    event.preventDefault();
    try {
      const { answer } = readAnswer(text);
      const storageKeys = slots.split(/\s+/).filter((slot) => slot !== '') as Hex[];
      const claim = {
        stateRoot: root.trim() as Hex,
        address: address.trim() as Hex,
        storageKeys,
        hash,
      };
      setPasted({ answer, claim, round: (pasted?.round ?? 0) + 1 });
      setProblem('');
    } catch (error) {
      setPasted(undefined);
      setProblem((error as Error).message);
    }
  }

  const input = (id: string, title: string, value: string, set: (text: string) => void) => (
    <>
      <label for={id}>{title}</label>
      <input
        id={id}
        type="text"
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </>
  );
  return (
    <>
      <h1>Anatomy of a proof</h1>
      <form class="paste" onSubmit={explain} onDrop={drop} onDragOver={(e) => e.preventDefault()}>
        <label for="answer">
          An answer of l2_getProof, as JSON or in compact form: paste it, or drop a file
        </label>
        <textarea
          id="answer"
          rows={6}
          value={text}
          spellcheck={false}
          onInput={({ currentTarget }) => take(currentTarget.value)}
        />
        {input('root', 'State root that you trust', root, setRoot)}
        {input('address', 'Address', address, setAddress)}
        <label for="slots">Storage slots, one a line (may be empty)</label>
        <textarea
          id="slots"
          rows={2}
          value={slots}
          spellcheck={false}
          onInput={({ currentTarget }) => setSlots(currentTarget.value)}
        />
        <label for="hash">Hash of the tree</label>
        <select
          id="hash"
          value={hash}
          onChange={({ currentTarget }) => setHash(currentTarget.value as HashFamily)}
        >
          {families.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>{' '}
        <button type="submit">Take it apart</button>
        {problem !== '' && (
          <p class="failure" role="alert">
            {problem}
          </p>
        )}
      </form>
      {pasted && (
        <Explained key={pasted.round} pasted={pasted} ground="under the root that you gave." />
      )}
    </>
  );
}
