/** The block that `latest` means, and the one whose state proves headers. */
import type { AnchoredRoot } from '../../anchor/index.js';
import { wordFor } from '../../errors.js';
import { isHeader } from '../../proven/index.js';
import { isNotHeld } from '../../rpc/errors.js';
import type { Anchors } from './anchors.js';
import type { View } from './view.js';

/**
 * Which block `latest` means: `newest`, the last that L1 has finalized, whose own header its state does not prove; or `whole`,
 * the end of the finalization before it, of which everything is proven. Of a block whose hash L1 holds everything is proven
 * anyway: there both are the newest.
 */
export type CurrentBlock = 'newest' | 'whole';

/** A block that is answered about. */
export interface Current {
  /** Its state is read. */
  readonly state: AnchoredRoot;
  /** Its state proves the headers of earlier blocks: the same, or a later one. */
  readonly prover: AnchoredRoot;
}

export interface Currents {
  latest(): Promise<Current>;
  /** @throws AnchorError `NOT_PROVABLE` */
  at(l2BlockNumber: number): Promise<Current>;
  /** The same once more under a newer anchor; undefined if there is none yet. */
  after(current: Current): Promise<Current | undefined>;
}

const alone = (anchor: AnchoredRoot): Current => ({ state: anchor, prover: anchor });

export function createCurrents(anchors: Anchors, mode: CurrentBlock): Currents {
  const under = async (prover: AnchoredRoot): Promise<Current> =>
    mode === 'newest' || isHeader(prover)
      ? alone(prover)
      : { state: await anchors.before(prover.l2BlockNumber), prover };
  return {
    latest: async () => under(await anchors.latest()),
    async at(l2BlockNumber) {
      const state = await anchors.at(l2BlockNumber);
      if (mode === 'newest' || isHeader(state)) return alone(state);
      const prover = await anchors.latest();
      return prover.l2BlockNumber > l2BlockNumber ? { state, prover } : alone(state);
    },
    async after({ prover }) {
      const newer = await anchors.after(prover);
      return newer && under(newer);
    },
  };
}

/** Says which of two states the server lacks, and what would help. */
export function toMissing(
  error: unknown,
  missing: AnchoredRoot,
  { state, prover }: Current,
): unknown {
  if (!isNotHeld(error) || state === prover) return error;
  const [lacking, older, newer] = [missing, state, prover].map((one) => one.l2BlockNumber);
  const text = `the server does not hold the state of block ${lacking}. ${wordFor('current', '"current"')} whole needs those of ${older} and ${newer}: ask a server that keeps as many blocks, or take newest`;
  return error.restate(text, 'BLOCK_NOT_HELD');
}

/** A view of one of two states, whose errors say which it is. */
export function namingMissing(view: View, current: Current): View {
  const naming = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw toMissing(error, view.anchor, current);
    }
  };
  return {
    ...view,
    read: (...question) => naming(view.read(...question)),
    proof: (...question) => naming(view.proof(...question)),
  };
}
