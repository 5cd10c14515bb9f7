/** The table of methods. */
import type { Method, Methods } from '../jsonrpc/method.js';
import type { ServiceLimits } from '../limits/limits.js';
import type { AnyFinality, ProvingTree } from './block.js';
import { chainIdMethod } from './chainId.js';
import { proofMethod } from './proof.js';

interface MethodOptions {
  readonly tree: ProvingTree;
  readonly finality: AnyFinality;
  /** Further names of `l2_getProof`. */
  readonly aliases: readonly string[];
  readonly chainId: number | bigint | undefined;
  readonly limits: ServiceLimits;
  /** What is answered about blocks. */
  readonly blocks: readonly Method[];
}

/** The form of a name; JSON-RPC keeps names that begin with "rpc." to itself. */
const nameForm = /^(?!rpc\.)[A-Za-z][\w.]{0,63}$/;

/** @throws RangeError if an alias cannot be a name or is taken */
export function createMethods(options: MethodOptions): Methods {
  const { tree, finality, aliases, chainId, limits, blocks } = options;
  const proofs = ['l2_getProof', ...aliases].map((name) =>
    proofMethod(name, tree, finality, limits),
  );
  const chain = chainId === undefined ? [] : [chainIdMethod(chainId)];
  const table: Method[] = [...proofs, ...blocks, ...chain];
  const methods = new Map<string, Method>();
  for (const method of table) {
    if (!nameForm.test(method.name)) {
      throw new RangeError(`alias "${method.name}" expected a name of letters, digits, _ and .`);
    }
    if (methods.has(method.name)) {
      throw new RangeError(`"${method.name}" is the name of a method already; leave the alias out`);
    }
    methods.set(method.name, method);
  }
  return methods;
}
