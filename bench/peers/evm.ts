/**
 * The published on-chain verifier of MiMC paths, its bytecode run in an EVM. It shares no code with the
 * library: another author, another language, another compiler.
 *
 * It checks less than the library does: one path under one root, neither the key nor the value, and of node
 * 0 only `nextFreeNode`, which it does not hold against the leaf index.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM } from '@ethereumjs/evm';
import { type Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import { type Abi, AbiError, AbiFunction } from 'ox';

export type Hex = `0x${string}`;

/** `accepted` and `refused`: it returned true or false; otherwise it reverted with that error. */
export type Verdict = 'accepted' | 'refused' | `reverted: ${string}`;

/** What came of a call. */
export interface Outcome {
  /** What it returned; undefined if it reverted. */
  returned: Hex | undefined;
  /** Gas that the call itself took, without what a transaction costs. */
  gas: bigint;
}

export interface Verifier {
  /** Makes any call of the verifier. */
  run(data: Hex): Promise<Outcome>;
  verdict(nodes: readonly Hex[], leafIndex: bigint, root: Hex): Promise<Verdict>;
  /** A revert counts as a refusal; `verdict` tells them apart. */
  verifyProof(nodes: readonly Hex[], leafIndex: bigint, root: Hex): Promise<boolean>;
  /** Median time of one verification, in microseconds, without the ABI coding of its arguments. */
  timeVerify(nodes: readonly Hex[], leafIndex: bigint, root: Hex, runs?: number): Promise<number>;
}

interface Artifact {
  abi: Abi.Abi;
  bytecode: string;
  linkReferences: Record<string, Record<string, { start: number; length: number }[]>>;
}

const name = '@consensys/linea-state-verifier';
const version = '1.0.1';
const sha512 =
  'r8tgUQXbEOqFGRkN0Sk/Jei+nYG3GJgLVz7BZmTJDl2EPMhNPnkUBqUtrS5J6IRkVGQhXgXQ2RWp+DKqZ/8WJg==';
const cache = join(import.meta.dirname, 'node_modules/.cache/linea-state-verifier');

/** Hundreds of times what one verification takes: running out would be our own fault, and throws. */
const gasLimit = 10n ** 9n;

/**
 * The unpacked package. Packed, not installed: the compiled artifacts are all that is needed, and an
 * installation would bring hundreds of dependencies.
 */
function fetchPackage(): string {
  const folder = join(cache, version);
  if (existsSync(folder)) return folder;
  // Unpacked elsewhere and then moved, so that a broken run leaves nothing that looks complete.
  const staging = join(cache, 'staging');
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', `${name}@${version}`, '--json', '--pack-destination', staging], {
      cwd: staging,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string }];
  const tarball = join(staging, packed.filename);
  const actual = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (actual !== sha512) throw new Error(`${packed.filename}: sha512 is ${actual}`);
  execFileSync('tar', ['-xzf', packed.filename], { cwd: staging });
  renameSync(join(staging, 'package'), folder);
  rmSync(staging, { recursive: true });
  return folder;
}

function readArtifact(folder: string, contract: string): Artifact {
  const path = join(folder, 'artifacts/contracts/lib', `${contract}.sol`, `${contract}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Artifact;
}

/** Bytecode with the addresses of its libraries in place of the compiler's placeholders. */
function link({ bytecode, linkReferences }: Artifact, libraries: Record<string, Address>): Hex {
  let code = bytecode;
  for (const file of Object.values(linkReferences)) {
    for (const [library, places] of Object.entries(file)) {
      const address = libraries[library]?.toString().slice(2);
      if (!address) throw new Error(`no address for library ${library}`);
      for (const { start, length } of places) {
        const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)];
        code = code.slice(0, from) + address + code.slice(to);
      }
    }
  }
  return code as Hex;
}

async function deploy(evm: EVM, code: Hex): Promise<Address> {
  const { createdAddress, execResult } = await evm.runCall({ data: hexToBytes(code), gasLimit });
  if (execResult.exceptionError || !createdAddress) {
    throw new Error(`deployment failed: ${execResult.exceptionError?.error}`);
  }
  return createdAddress;
}

/** Fetches the package on first use, then deploys the verifier and the library it calls. */
export async function openVerifier(): Promise<Verifier> {
  const folder = fetchPackage();
  const artifact = readArtifact(folder, 'SparseMerkleProof');
  const evm = await createEVM({
    common: new Common({ chain: Mainnet, hardfork: Hardfork.Cancun }),
  });
  const library = readArtifact(folder, 'Mimc');
  const mimc = await deploy(evm, link(library, {}));
  const to = await deploy(evm, link(artifact, { Mimc: mimc }));
  const verify = AbiFunction.fromAbi(artifact.abi, 'verifyProof');
  // What the library reverts with passes through the verifier.
  const errors: Abi.Abi = [...artifact.abi, ...library.abi];

  const encode = (nodes: readonly Hex[], leafIndex: bigint, root: Hex) =>
    hexToBytes(AbiFunction.encodeData(verify, [nodes, leafIndex, root]));

  async function call(data: Uint8Array): Promise<Verdict> {
    const { execResult } = await evm.runCall({ to, data, gasLimit });
    const returned = bytesToHex(execResult.returnValue);
    const error = execResult.exceptionError?.error;
    if (error === undefined) {
      return AbiFunction.decodeResult(verify, returned) ? 'accepted' : 'refused';
    }
    if (error !== 'revert') throw new Error(`the EVM stopped: ${error}`);
    // A revert without data is one of the compiler's own checks, of the ABI coding or of a slice.
    return `reverted: ${returned === '0x' ? 'no reason' : AbiError.fromAbi(errors, returned).name}`;
  }

  async function run(data: Hex): Promise<Outcome> {
    const { execResult } = await evm.runCall({ to, data: hexToBytes(data), gasLimit });
    const error = execResult.exceptionError?.error;
    if (error !== undefined && error !== 'revert') throw new Error(`the EVM stopped: ${error}`);
    return {
      returned: error === undefined ? bytesToHex(execResult.returnValue) : undefined,
      gas: execResult.executionGasUsed,
    };
  }

  const verdict: Verifier['verdict'] = (...path) => call(encode(...path));
  return {
    run,
    verdict,
    verifyProof: async (...path) => (await verdict(...path)) === 'accepted',
    async timeVerify(nodes, leafIndex, root, runs = 9) {
      const data = encode(nodes, leafIndex, root);
      const times: number[] = [];
      // The first two runs warm the interpreter up.
      for (let run = -2; run < runs; run++) {
        const start = performance.now();
        if ((await call(data)) !== 'accepted') throw new Error('only a valid path is timed');
        if (run >= 0) times.push(1000 * (performance.now() - start));
      }
      return times.sort((a, b) => a - b)[runs >> 1] as number;
    },
  };
}
