/**
 * Checks answers by the laws of the verifier. Some are checked in step, so that their hashes are computed side by side:
 * four take about as long as one and a half. Each is held against its own digests alone.
 */
import { equalBytes } from '../../bytes.js';
import { VerificationError } from '../../errors.js';
import { type HashedProof, hashTrees, type KeyedProof } from '../../verify/hashed.js';
import { checkProof } from '../../verify/result.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { TreeError } from '../store/errors.js';
import { keysPerTurn } from '../store/readBudget.js';
import type { KeyProofData } from './keyProofData.js';
import { openAccountProof, openSlotProof } from './ownProof.js';
import { OwnProofBuilder } from './ownProofBuilder.js';
import type { AnswerData } from './prove.js';

/** The account of an answer and some of its slots. */
export interface AnswerPart {
  readonly stateRoot: Uint8Array;
  readonly answer: AnswerData;
  /** Positions of the slots in its question, `keysPerTurn` at most. */
  readonly chosen: readonly number[];
}

/** A check on its way: it yields what is to be hashed, first its account, then its slots, and is given the digests. */
type Check = Generator<readonly KeyedProof[], void, readonly HashedProof[]>;

/** Answers that are checked in step: one for each lane of a kernel. */
const inStep = 4;

/** Checks slots of an account that exists. */
function* checkSlots(
  storageRoot: Uint8Array,
  { answer: { empty, proofData }, chosen }: AnswerPart,
  builder: OwnProofBuilder,
): Check {
  const { spec } = empty;
  const { slots } = proofData;
  if (slots === undefined) {
    // Only an empty tree proves slots by itself.
    if (chosen.length === 0 || equalBytes(storageRoot, spec.emptyRoot)) return;
    throw new VerificationError('SLOT_WITHHELD', 'storageProofs', 'expected a proof for each slot');
  }
  const entries = chosen.map((i) => {
    const slot = slots[i] as KeyProofData;
    const proof = openSlotProof(spec, slot.key, builder.build(slot), `storageProofs[${i}]`);
    return { hKey: slot.hKey, proof };
  });
  for (const hashed of yield entries) checkProof(spec, storageRoot, hashed);
}

/**
 * Checks a part of an answer. Keys are not hashed again: the same hasher did it, from the same bytes, when their leaves
 * were looked for.
 */
function* checkPart(part: AnswerPart, builder: OwnProofBuilder): Check {
  const { empty, proofData } = part.answer;
  const { spec } = empty;
  const { key, hKey } = proofData.account;
  try {
    const proof = openAccountProof(spec, key, builder.build(proofData.account));
    for (const hashed of yield [{ hKey, proof }]) checkProof(spec, part.stateRoot, hashed);
    if (proof.kind === 'existence') yield* checkSlots(proof.account.storageRoot, part, builder);
  } catch (cause) {
    if (cause instanceof TreeError) throw cause;
    throw new TreeError('DAMAGED', 'the proof of what the store holds does not verify', { cause });
  }
}

/** What is wrong with the parts that do not verify. */
type Failures = Map<AnswerPart, unknown>;

/** A check that waits for digests. */
interface Open {
  readonly part: AnswerPart;
  readonly check: Check;
  readonly entries: readonly KeyedProof[];
}

/** Checks parts in step. */
function checkInStep(
  { spec }: EmptyTree,
  parts: readonly AnswerPart[],
  { builder, failures }: { builder: OwnProofBuilder; failures: Failures },
): void {
  /** Takes a check as far as it comes: to what is to be hashed next, or to its end. */
  function goOn(part: AnswerPart, check: Check, hashed: readonly HashedProof[]): Open[] {
    try {
      const step = check.next(hashed);
      return step.done ? [] : [{ part, check, entries: step.value }];
    } catch (error) {
      failures.set(part, error);
      return [];
    }
  }

  // Parts that were checked before are not looked at again.
  builder.clear();
  let open = parts.flatMap((part) => goOn(part, checkPart(part, builder), []));
  for (const kind of [spec.account, spec.word]) {
    const hashed = hashTrees(
      spec,
      kind,
      open.map(({ entries }) => entries),
    );
    open = open.flatMap(({ part, check }, i) => goOn(part, check, hashed[i] as HashedProof[]));
  }
}

/** Parts that are asked for in one go. */
interface Round {
  readonly parts: AnswerPart[];
  readonly failures: Promise<Failures>;
}

/**
 * Makes a function that checks parts of answers. Those that are asked for in one go are checked in step.
 *
 * @returns a function that throws TreeError `DAMAGED` if the part, and not another one, does not verify
 */
export function createAnswerCheck(empty: EmptyTree): (part: AnswerPart) => Promise<void> {
  const builder = new OwnProofBuilder(empty, inStep * (1 + keysPerTurn));
  let round: Round | undefined;

  async function checkSoon(parts: readonly AnswerPart[]): Promise<Failures> {
    // Those who have read at the same time ask in between.
    await undefined;
    round = undefined;
    const failures: Failures = new Map();
    for (let i = 0; i < parts.length; i += inStep) {
      checkInStep(empty, parts.slice(i, i + inStep), { builder, failures });
    }
    return failures;
  }

  function begin(): Round {
    const parts: AnswerPart[] = [];
    return { parts, failures: checkSoon(parts) };
  }

  return async (part) => {
    round ??= begin();
    round.parts.push(part);
    const failures = await round.failures;
    if (failures.has(part)) throw failures.get(part);
  };
}
