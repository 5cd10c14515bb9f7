/** A call of a contract: an ABI, a function of it, its arguments, and the proven result. */

import { useState } from 'preact/hooks';
import type { Hex as Digits } from '../../index.js';
import { Hex } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { wholeText } from '../format/numbers.js';
import { mostAbiText, presets } from '../format/presets.js';
import type { AnswerOf } from '../worker/protocol.js';
import { FunctionForm } from './callFunction.js';

type Abi = Exclude<AnswerOf<'abi'>, { problem: string }>;

/** Functions of one kind, in a list to choose from. */
function Choices({ abi, isView, title }: { abi: Abi; isView: boolean; title: string }) {
  const items = abi.functions.flatMap((item, i) => (item.isView === isView ? [{ item, i }] : []));
  if (items.length === 0) return null;
  return (
    <optgroup label={title}>
      {items.map(({ item, i }) => (
        <option key={i} value={String(i)}>
          {item.name}({item.inputs.map(({ type, name }) => `${type} ${name}`.trim()).join(', ')})
        </option>
      ))}
    </optgroup>
  );
}

function Functions({ abi, address }: { abi: Abi; address: Digits }) {
  const first = abi.functions.findIndex(({ isView }) => isView);
  const [chosen, setChosen] = useState(String(Math.max(0, first)));
  const item = abi.functions[Number(chosen)];
  return (
    <>
      <label for="function">Function</label>
      <select
        id="function"
        value={chosen}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        <Choices abi={abi} isView title="Reads" />
        <Choices
          abi={abi}
          isView={false}
          title="Changes the state (only tried here: nothing is sent)"
        />
      </select>
      {abi.skipped > 0 && (
        <p class="note">
          {wholeText(abi.skipped)} items are of a form or a type that is not known here, and left
          out.
        </p>
      )}
      {item && <FunctionForm key={chosen} item={item} errors={abi.errors} address={address} />}
    </>
  );
}

/** Takes an ABI as JSON or as text. */
function AbiForm({ onRead }: { onRead: (text: string | undefined) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  function read(given: string) {
    setText(given);
    const isLong = given.length > mostAbiText;
    setProblem(
      isLong
        ? `That are ${wholeText(given.length)} characters; an ABI of at most ${wholeText(mostAbiText)} can be read here. Paste the functions that you need.`
        : given.trim() === ''
          ? 'Paste an ABI, or a signature such as: balanceOf(address) view returns (uint256)'
          : '',
    );
    onRead(isLong || given.trim() === '' ? undefined : given);
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        read(text);
      }}
    >
      <label for="abi">ABI of the contract: JSON, or signatures, one a line</label>
      <textarea
        id="abi"
        rows={5}
        spellcheck={false}
        autocomplete="off"
        placeholder="function balanceOf(address owner) view returns (uint256)"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p class="choices">
        <button type="submit">Read it</button>
        <span>or take the functions of</span>
        {presets.map(({ name, text: preset }) => (
          <button key={name} type="button" onClick={() => read(preset)}>
            {name}
          </button>
        ))}
      </p>
      {problem !== '' && (
        <p class="failure" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

export function Call({ subject }: { subject: string }) {
  const address = subject as Digits;
  const [text, setText] = useState<string>();
  return (
    <article>
      <h1>
        Call a contract <Hex value={address} to="address" />
      </h1>
      <p>Its code is run in this page, on proven state. Nothing is sent.</p>
      <AbiForm onRead={setText} />
      {text !== undefined && (
        <Section key={text} title="Call" question="abi" asked={{ text }}>
          {(abi) =>
            'problem' in abi ? (
              <p class="failure" role="alert">
                That is no ABI that can be read here: {abi.problem}.
              </p>
            ) : (
              <Functions abi={abi} address={address} />
            )
          }
        </Section>
      )}
    </article>
  );
}
