/** The types of the data interface's routes. */
import { z } from '@hono/zod-openapi';
import type { StateKind } from '../../../verify/result.js';
import type { ChainContext } from '../../data/balances.js';
import type { ChainData, WorkedOut } from '../../data/chainData.js';
import type { OpenDataInterface } from '../../data/dataInterface.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { createHistoryProver, type HistoryProver } from '../../proving/history.js';
import type { Prover } from '../../proving/prover.js';
import { defineRoute, type Route } from '../../rest/route.js';

/** What a route is made for. */
type ServedChains = Pick<OpenDataInterface, 'chains' | 'served'>;

/** Makes a route for the chains that are served. */
export type DataRoute = (data: ServedChains) => Route<ChainData>;

/** Makes a route about one chain. */
export const defineChainRoute = defineRoute<ChainData>();

/** What an answer is worked out with: `at` is the block that it is of. */
export interface Working {
  /** Of the chain, in paths. */
  readonly name: string;
  readonly access: ChainContext;
  readonly at: BalanceBlock;
  readonly context: AnswerContext;
  /** The same sources, which note nothing: for calls that no item rests on. */
  readonly plain: ChainContext;
  /** With proofs: notes what calls read. `access` then asks for amounts through it. */
  readonly prover?: Prover;
  /** With proofs: proves blocks of before. */
  readonly history?: HistoryProver;
}

/**
 * The ways of a route to an answer that is remembered, by a name made of all that decides it beside the block.
 *
 * @param way `answerNewest`: at the newest block of the index, though the service's own state may not have come to it
 */
export const remembered = <Question>(
  keyOf: (question: Question, chain: ChainData) => string,
  work: (question: Question, working: Working) => Promise<WorkedOut>,
  way: 'answer' | 'answerNewest' = 'answer',
): Pick<Route<ChainData, Question>, 'peek' | 'answerTo'> => ({
  peek: (chain, question) => chain.peek(keyOf(question, chain)),
  answerTo: (chain, question, context) =>
    chain[way]({ name: keyOf(question, chain), context }, (access, at, shared) =>
      work(question, { name: chain.name, access, plain: access, at, context: shared }),
    ),
});

/** Which proofs are wanted. */
export interface ProofsQuestion {
  /** Undefined: none. */
  readonly proofs:
    | {
        readonly kind: StateKind;
        /** Undefined: the newest that is final. */
        readonly block: number | undefined;
      }
    | undefined;
}

/** The same of a route whose items can carry their proofs. Such answers are large, and not kept. @param way of other answers */
export function provable<Question extends ProofsQuestion>(
  keyOf: (question: Question, chain: ChainData) => string,
  work: (question: Question, working: Working) => Promise<WorkedOut>,
  way: 'answer' | 'answerNewest' = 'answer',
): Pick<Route<ChainData, Question>, 'peek' | 'answerTo'> {
  const unproven = remembered(keyOf, work, way);
  return {
    peek: (chain, question) =>
      question.proofs === undefined ? unproven.peek(chain, question) : undefined,
    answerTo(chain, question, context) {
      const { proofs } = question;
      if (proofs === undefined) return unproven.answerTo(chain, question, context);
      const { kind, block } = proofs;
      return chain.answerProven({ block, context }, (open, at) => {
        const prover = open.prover?.(at.number, kind) as Prover;
        const access = { ...open, amounts: prover, amountsAt: async () => prover };
        const of = { block: at.number, kind, node: open.node.client };
        const history = createHistoryProver({ prover, ...of });
        const working = { name: chain.name, access, plain: open, at, context };
        return work(question, { ...working, prover, history });
      });
    },
  };
}

/** The member of a path that says which chain is meant. */
export const chainName = ({ chains }: ServedChains) =>
  z.string().openapi({ description: `One of ${chains.join(', ')}; or the number of the chain` });

/** An answer with the envelope of the interface around its data. @param name of the whole, in the description */
export const enveloped = ({
  name,
  description,
  data,
}: {
  name: string;
  description: string;
  data: z.ZodType;
}) => ({
  description,
  schema: z
    .object({ data, error: z.literal(false), error_message: z.null(), error_code: z.null() })
    .openapi(name),
});
