/** The forgeries of `vectors`, and those of traces that a test makes, each with the error that refuses it. */
import { compactProof, verifyCompactProof } from '../../src/compact/index.js';
import { type HashFamily, ProofError, verifyProof } from '../../src/index.js';
import { verifyTransition } from '../../src/trace/index.js';
import { traceForgeries } from '../../test/forged/traceCases.js';
import { fromHex } from '../../test/support/hex.js';
import { families } from '../../test/support/runs.js';
import { claimOfCase } from '../../test/vectors/compact.js';
import type { VectorFile } from '../../test/vectors/kinds.js';
import type { JsonObject } from '../../test/vectors/members.js';
import { editedAnswer } from '../../test/vectors/proofs.js';
import { loadFolder } from '../../test/vectors/run.js';
import { transitionOf } from '../../test/vectors/traces.js';

/** A forgery, and the error that refuses it. */
export interface Refusal {
  /** The file, with `*` for the hash family. */
  readonly file: string;
  readonly name: string;
  readonly error: ProofError;
}

/** Whether a call accepts; what it refuses the answer with, unless the claim is wrong already. */
function refusalOf(verify: () => unknown): { accepts: boolean; error?: ProofError } {
  try {
    verify();
    return { accepts: true };
  } catch (error) {
    if (error instanceof ProofError) return { accepts: false, error };
    if (error instanceof TypeError || error instanceof RangeError) return { accepts: false };
    throw error;
  }
}

/** One case of a file. */
interface Way {
  readonly name: string;
  /** Whether it may be accepted. */
  readonly isTrue: boolean;
  /** The code, or the name of the class, if the file says it. */
  readonly code: string | undefined;
  readonly verify: () => unknown;
}

/** The cases of a file. Those that another verifier may take or refuse are left out. */
function* waysOf(file: VectorFile): Generator<Way> {
  const { json } = file;
  const cases = ((json.cases ?? []) as JsonObject[]).filter(({ mayDiffer }) => !mayDiffer);
  const wayOf = ({ name, valid, code }: JsonObject, verify: Way['verify']): Way => ({
    name: name as string,
    isTrue: valid as boolean,
    code: code as string | undefined,
    verify,
  });
  if (json.kind === 'compact') {
    for (const entry of cases) {
      const bytes = fromHex(entry.proof as string);
      yield wayOf(entry, () => verifyCompactProof(bytes, claimOfCase(file, entry)));
    }
  }
  if (json.kind === 'mutations') {
    const base = file.sibling(json.base as string);
    for (const entry of cases) {
      const { result, claim } = editedAnswer(file, base, entry);
      // A true one whose tree is none is refused only if a compact proof is to be made of it.
      const verify = entry.valid ? compactProof : verifyProof;
      yield wayOf(entry, () => verify(result, claim));
    }
  }
  if (json.kind === 'traces') {
    const { valid } = json.expect as JsonObject;
    const claim = { ...transitionOf(file), hash: file.spec.hasher.family };
    yield wayOf({ name: json.note ?? file.name, valid } as JsonObject, () =>
      verifyTransition(json.traces, claim),
    );
  }
}

/** The forgeries of traces that a test makes. */
const tracesOf = (hash: HashFamily): Way[] =>
  traceForgeries(hash).map(({ name, code, traces, parentRoot }) => ({
    name,
    isTrue: false,
    code,
    verify: () => verifyTransition(traces, { parentRoot, hash }),
  }));

/** All forgeries that are refused by an error about the answer. @throws Error for one that is accepted, or refused for another reason */
export function* refusals(): Generator<Refusal> {
  const neutral = (name: string) => `vectors/${name.replace(/mimc|poseidon2/, '*')}`;
  const files = [
    ...loadFolder('vectors').map((file) => [neutral(file.name), waysOf(file)] as const),
    ...families.map((hash) => ['test/forged/traceCases.ts', tracesOf(hash)] as const),
  ];
  for (const [file, ways] of files) {
    for (const { name, isTrue, code, verify } of ways) {
      const { accepts, error } = refusalOf(verify);
      if (accepts && !isTrue) throw new Error(`${file}: "${name}" is accepted`);
      const given = error?.code ?? error?.name;
      if (error && code !== undefined && code !== given) {
        throw new Error(`${file}: "${name}" is refused with ${given}, not with ${code}`);
      }
      if (error) yield { file, name, error };
    }
  }
}
