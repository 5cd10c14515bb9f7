/** The type of a route. A route is one file in `routes`, and one line in the table there. */
import type { z } from '@hono/zod-openapi';
import type { AnswerContext, RouteAnswer } from '../jsonrpc/method.js';
import type { ApiTexts } from './replies.js';
import type { ReadOf, Table } from './table.js';

/** The members of all chains of an interface. */
export interface NamedChain {
  readonly name: string;
}

/** What a route may want to know of a request beside its tables. */
export interface RequestPlace {
  /**
   * What links begin with, without a slash at the end: the operator's URL, or the host that the client has asked.
   *
   * @throws HttpError if the client names no host that a link may have
   */
  readonly base: string;
}

/** @typeParam Chain what answers; `undefined` in it: the route is about no single chain, and gets undefined */
export interface Route<Chain extends NamedChain | undefined = NamedChain, Question = unknown> {
  /** The text of its lines in the log. */
  readonly title: string;
  /** As the description has it: `/v1/{chain_name}/...`; the slash at its end counts for nothing. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Members of the path. Without `chain_name` here or in the body, the route is about no single chain. */
  readonly params?: Table;
  readonly query: Table;
  /** Members of the body, and its name in the description. With it, clients POST; else they GET. */
  readonly body?: { readonly name: string; readonly members: Table };
  /** What a success is, in a few words, and the schema of its body. */
  readonly answer: { readonly description: string; readonly schema: z.ZodType };
  /** What is asked, from what was read of path, query and body. */
  question(read: unknown, place: RequestPlace): Question;
  /** Units of work, as far as they are known before it. */
  cost(question: Question): number;
  /** The answer, if it is remembered and needs no waiting. */
  peek(chain: Chain, question: Question): RouteAnswer | undefined;
  /** The same, found out if it is not. @throws HttpError, and what the failure of a node is */
  answerTo(chain: Chain, question: Question, context: AnswerContext): Promise<RouteAnswer>;
}

/** A route whose `question` is given what its tables read. */
type Typed<
  Chain extends NamedChain | undefined,
  Question,
  P extends Table,
  Q extends Table,
  B extends Table,
> = Omit<Route<Chain, Question>, 'params' | 'query' | 'body' | 'question'> & {
  readonly params?: P;
  readonly query: Q;
  readonly body?: { readonly name: string; readonly members: B };
  question(read: ReadOf<P> & ReadOf<Q> & ReadOf<B>, place: RequestPlace): Question;
};

/** Makes a route of the chains of an interface. Its tables are read as they say, so their types hold. */
export const defineRoute =
  <Chain extends NamedChain | undefined>() =>
  <
    Question,
    Q extends Table,
    P extends Table = Record<never, never>,
    B extends Table = Record<never, never>,
  >(
    route: Typed<Chain, Question, P, Q, B>,
  ): Route<Chain, Question> =>
    route as unknown as Route<Chain, Question>;

/** A route without a key, which costs nothing and is not logged. */
export interface OpenRoute {
  readonly path: string;
  readonly summary: string;
  readonly answer: { readonly description: string; readonly schema: z.ZodType; json(): string };
}

/** The shared parts of the routes of an interface. */
export interface RestInterface<Chain extends NamedChain = NamedChain> {
  /** All paths begin with it: `/v1`. */
  readonly base: string;
  readonly routes: readonly Route<Chain>[];
  readonly open: readonly OpenRoute[];
  chainOf(name: string): Chain | undefined;
  readonly texts: ApiTexts;
  /** What lines in the log call the units of cost that the work has shown. */
  readonly unit: string;
  /** Whether a path is no route for other methods of HTTP, with any key. */
  readonly hidesMethods: boolean;
  /** Whether answers say how long clients may keep them. */
  readonly tellsAge: boolean;
  /** What links begin with, as the operator says; undefined: the host that the client has asked. */
  readonly publicUrl: string | undefined;
  /** Headers and methods that pages of other origins may use. */
  readonly pages: { readonly headers: readonly string[]; readonly methods: readonly string[] };
  /** For the description: statuses of answers that are no success, and what they mean. */
  readonly failures: Readonly<Record<number, string>>;
  readonly failure: z.ZodType;
}
