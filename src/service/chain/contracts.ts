/**
 * Asks contracts what they say of themselves: tokens their name, symbol, decimals and standards, pools their tokens. In
 * one call through Multicall3 if the chain has it, else in a call for each question.
 */
import { decodeAddress, decodeDecimals, decodeText, decodeTrue } from '../../abi/answers.js';
import { questions, type TokenQuestion } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import type { PoolTokens, TokenMetadata, TokenStandard } from '../../decode/index.js';
import { createMulticall, isServerError } from './multicall.js';
import type { DecoderNode } from './node.js';

/** Questions that are put in one call, and bytes of the answer to it. */
const atOnce = 200;
const maxAnswer = 512 * 1024;

/** Bytes of the answer to a single question: some tokens answer without end. */
const maxSingleAnswer = 32 * 1024;

/** Single questions on their way at once. */
const concurrent = 8;

/** Tokens that said nothing in a common call and are asked by themselves. */
const mostSilent = 20;

/** The contracts to ask, and the state to ask them in. */
interface ContractQuestions {
  readonly tokens: readonly Hex[];
  readonly pools: readonly Hex[];
  /** Undefined: the newest block. */
  readonly block: number | undefined;
}

export interface ContractAnswers {
  /** One for each that was asked. */
  readonly tokens: readonly TokenMetadata[];
  /** One for each pool that answered. */
  readonly pools: readonly PoolTokens[];
  /** Tokens of which it is not known whether they have nothing to say, or the node failed. */
  readonly unsure: ReadonlySet<Hex>;
}

export interface Contracts {
  /** @throws RpcError if the node does not answer */
  ask(asked: ContractQuestions): Promise<ContractAnswers>;
}

/** A question to a contract. */
interface ContractQuery {
  readonly to: Hex;
  readonly question: TokenQuestion;
}

type Answers = ReadonlyMap<string, Uint8Array>;

const tokenQuestions = ['name', 'symbol', 'decimals', 'erc721', 'erc1155'] as const;
const poolQuestions = ['token0', 'token1'] as const;

const nameOf = (to: Hex, question: TokenQuestion) => `${to} ${question}`;

function tokenOf(address: Hex, answers: Answers): TokenMetadata {
  const read = <T>(question: TokenQuestion, decode: (data: Uint8Array) => T): T | undefined => {
    const data = answers.get(nameOf(address, question));
    return data && decode(data);
  };
  const decimals = read('decimals', decodeDecimals);
  const standards: TokenStandard[] = [];
  if (decimals !== undefined) standards.push('erc20');
  if (read('erc721', decodeTrue)) standards.push('erc721');
  if (read('erc1155', decodeTrue)) standards.push('erc1155');
  const name = read('name', decodeText);
  const symbol = read('symbol', decodeText);
  return { address, name, symbol, decimals, logo: undefined, standards };
}

function poolOf(address: Hex, answers: Answers): PoolTokens[] {
  const [token0, token1] = poolQuestions.map((question) => {
    const data = answers.get(nameOf(address, question));
    return data && decodeAddress(data);
  });
  return token0 === undefined || token1 === undefined ? [] : [{ address, token0, token1 }];
}

/** Whether a contract said anything of what tokens have. */
export const isTold = ({ name, symbol, decimals, standards = [] }: TokenMetadata): boolean =>
  [name, symbol, decimals].some((value) => value !== undefined) || standards.length > 0;

export function createContracts(node: DecoderNode): Contracts {
  const multicall = createMulticall(node);

  /** @param unsure is told of contracts that the node failed at */
  async function askSingly(
    inquiries: readonly ContractQuery[],
    block: number | undefined,
    unsure: Set<Hex>,
  ) {
    const answers = new Map<string, Uint8Array>();
    async function askOne({ to, question }: ContractQuery): Promise<void> {
      const call = { to, data: questions[question], block, maxBytes: maxSingleAnswer };
      try {
        const data = await node.callAt(call);
        if (data !== undefined && data.length > 0) answers.set(nameOf(to, question), data);
      } catch (error) {
        if (!isServerError(error)) throw error;
        unsure.add(to);
      }
    }
    await mapConcurrently(inquiries, concurrent, askOne);
    return answers;
  }

  /** @returns undefined if the chain has no Multicall3, or the call as a whole failed */
  async function askTogether(
    inquiries: readonly ContractQuery[],
    block: number | undefined,
  ): Promise<Map<string, Uint8Array> | undefined> {
    const answers = new Map<string, Uint8Array>();
    for (let from = 0; from < inquiries.length; from += atOnce) {
      const part = inquiries.slice(from, from + atOnce);
      const calls = part.map(({ to, question }) => ({ to, data: questions[question] }));
      const results = await multicall(calls, { block, maxBytes: maxAnswer });
      if (results === undefined) return undefined;
      part.forEach(({ to, question }, i) => {
        const result = results[i];
        if (result && result.length > 0) answers.set(nameOf(to, question), result);
      });
    }
    return answers;
  }

  return {
    async ask({ tokens, pools, block }) {
      const ofTokens = (addresses: readonly Hex[]) =>
        addresses.flatMap((to) => tokenQuestions.map((question) => ({ to, question })));
      const ofPools = pools.flatMap((to) => poolQuestions.map((question) => ({ to, question })));
      const inquiries = [...ofTokens(tokens), ...ofPools];
      const together = await askTogether(inquiries, block);
      const unsure = new Set<Hex>();
      const answers = together ?? (await askSingly(inquiries, block, unsure));
      const told = tokens.map((address) => tokenOf(address, answers));
      // One contract that burns all gas leaves none to those behind it: they are asked by themselves.
      const silent = told.filter((token) => !isTold(token)).map(({ address }) => address);
      const again = together
        ? await askSingly(ofTokens(silent.slice(0, mostSilent)), block, unsure)
        : answers;
      return {
        tokens: told.map((token) => (isTold(token) ? token : tokenOf(token.address, again))),
        pools: pools.flatMap((address) => poolOf(address, answers)),
        unsure,
      };
    },
  };
}
