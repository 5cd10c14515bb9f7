/** A function of a contract: its arguments, and what it returns. */
import { useState } from 'preact/hooks';
import { Section } from '../figure/Section.js';
import type { AbiError, AbiFunction } from '../format/abi.js';
import { exampleOf } from '../format/examples.js';
import { CallResult } from './callResult.js';

interface Props {
  readonly item: AbiFunction;
  readonly errors: readonly AbiError[];
  readonly address: `0x${string}`;
}

export function FunctionForm({ item, errors, address }: Props) {
  const [args, setArgs] = useState<readonly string[]>(() => item.inputs.map(() => ''));
  // Each call is a question of its own, even if it is the same again.
  const [called, setCalled] = useState<{ round: number; args: readonly string[] | undefined }>({
    round: 0,
    args: undefined,
  });
  const stop = () => setCalled({ ...called, args: undefined });
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setCalled({ round: called.round + 1, args });
        }}
      >
        {item.inputs.map((input, i) => (
          <div key={i}>
            <label for={`argument-${i}`}>
              {input.name || `Argument ${i + 1}`} <code>{input.type}</code>
            </label>
            <input
              id={`argument-${i}`}
              type="text"
              spellcheck={false}
              autocomplete="off"
              placeholder={exampleOf(input)}
              value={args[i] ?? ''}
              onInput={({ currentTarget }) =>
                setArgs(args.map((text, at) => (at === i ? currentTarget.value : text)))
              }
            />
          </div>
        ))}
        <p>
          <button type="submit">Call it</button>
        </p>
      </form>
      {called.args && (
        <Section
          key={called.round}
          title="Result"
          question="call"
          asked={{ address, item, args: called.args, errors }}
          onStop={stop}
        >
          {(answer) => <CallResult address={address} answer={answer} item={item} />}
        </Section>
      )}
    </>
  );
}
