/** Where the reader says whom to ask, and whom to believe. */
import { useState } from 'preact/hooks';
import { checkSettings, type GivenSettings, type Trust } from '../settings/settings.js';

interface Fields {
  readonly l1: string;
  readonly proofs: string;
  readonly node: string;
  readonly dataUrl: string;
  readonly dataKey: string;
  readonly chain: string;
  readonly how: Trust['how'];
  readonly blockHash: string;
  readonly api: string;
  readonly checkpoint: string;
}

const toFields = ({ l1 = [], proofs = '', node = '', data, trust }: GivenSettings): Fields => ({
  l1: l1.join('\n'),
  proofs,
  node,
  dataUrl: data?.url ?? '',
  dataKey: data?.key ?? '',
  chain: data?.chain ?? '',
  how: trust?.how ?? 'call',
  blockHash: trust?.how === 'proof' ? trust.blockHash : '',
  api: trust?.how === 'consensus' ? trust.api : '',
  checkpoint: trust?.how === 'consensus' ? trust.checkpoint : '',
});

/** @throws Error that names what is wrong */
function toSettings(fields: Fields, given: GivenSettings): GivenSettings {
  const { l1, proofs, node, dataUrl, dataKey, chain, how, blockHash, api, checkpoint } = fields;
  const own = {
    ...given,
    l1: l1.split(/\s+/).filter((url) => url !== ''),
    proofs: proofs.trim(),
    node: node.trim(),
    data: dataUrl === '' ? undefined : { url: dataUrl.trim(), key: dataKey.trim(), chain },
    trust: { how, blockHash: blockHash.trim(), api: api.trim(), checkpoint: checkpoint.trim() },
  };
  return checkSettings(own, location.href);
}

const choices: readonly (readonly [Trust['how'], string, string])[] = [
  ['call', 'One L1 endpoint', 'It is believed. The quickest, and the weakest.'],
  ['quorum', 'Several L1 endpoints', 'All must say the same.'],
  ['proof', 'A hash of an L1 block', 'You have it from elsewhere; no endpoint is believed.'],
  ['consensus', 'The validators of L1', 'From a checkpoint that you have from elsewhere on.'],
];

export function TrustForm({
  settings,
  onSave,
}: {
  settings: GivenSettings;
  /** Undefined: back to those of the server that the page came from. */
  onSave: (settings: GivenSettings | undefined) => void;
}) {
  const [fields, setFields] = useState(() => toFields(settings));
  const [problem, setProblem] = useState('');
  const field = (name: keyof Fields, title: string, isLong = false) => {
    const common = {
      id: `field-${name}`,
      name,
      value: fields[name],
      spellcheck: false,
      autocomplete: 'off',
      onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
        setFields({ ...fields, [name]: currentTarget.value }),
    };
    return (
      <>
        <label for={`field-${name}`}>{title}</label>
        {isLong ? <textarea rows={2} {...common} /> : <input type="text" {...common} />}
      </>
    );
  };
  function save(event: Event) {
    event.preventDefault();
    try {
      onSave(toSettings(fields, settings));
      setProblem('');
    } catch (error) {
      setProblem((error as Error).message);
    }
  }
  return (
    <form class="trust" onSubmit={save}>
      <fieldset>
        <legend>Whom do you believe about L1?</legend>
        {choices.map(([how, title, text]) => (
          <label key={how} class="choice">
            <input
              type="radio"
              name="how"
              value={how}
              checked={fields.how === how}
              onChange={() => setFields({ ...fields, how })}
            />
            <span>
              <strong>{title}</strong> {text}
            </span>
          </label>
        ))}
        {fields.how === 'proof' && field('blockHash', 'Hash of the L1 block')}
        {fields.how === 'consensus' && field('api', 'URL of a beacon API')}
        {fields.how === 'consensus' && field('checkpoint', 'Checkpoint: root of a beacon block')}
      </fieldset>
      <fieldset>
        <legend>Whom do you ask?</legend>
        {field('l1', 'L1 endpoints, one a line', true)}
        {field('proofs', 'L2 endpoint, which needs no trust')}
        {field('node', 'L2 node for code and logs, which needs no trust (may be empty)')}
        {field('dataUrl', 'Data interface (may be empty)')}
        {field('chain', 'Name of the chain there')}
        {field('dataKey', 'Its key (may be empty)')}
      </fieldset>
      {problem !== '' && (
        <p class="failure" role="alert">
          {problem}
        </p>
      )}
      <p>
        <button type="submit">Use these</button>{' '}
        <button type="button" onClick={() => onSave(undefined)}>
          Use those of this server
        </button>
      </p>
    </form>
  );
}
