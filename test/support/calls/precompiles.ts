/** Calls of precompiles: each of its own, and by a contract. */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak256, parseSignature } from 'viem';
import type { Hex } from '../../../src/bytes.js';
import { signers } from '../contracts/keys.js';
import { fromHex, toHex } from '../hex.js';
import { type CallCase, hex, word } from './case.js';
import type { CallWorld } from './world.js';

const digest = keccak256('0x1234');

async function ecrecover(): Promise<string> {
  const { r, s, yParity } = parseSignature(await signers[0].sign({ hash: digest }));
  return word(digest) + word(27 + yParity) + word(r) + word(s);
}

/** 12 rounds over "abc" (EIP-152, vector 5). */
const blake2 = [
  '0000000c',
  '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5',
  'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b',
  '61626300'.padEnd(256, '0'),
  '0300000000000000',
  '0000000000000000',
  '01',
].join('');

const modexp = (base: string, exponent: string, modulus: string): string =>
  [base, exponent, modulus].map((part) => word(part.length / 2)).join('') +
  base +
  exponent +
  modulus;

/** The generator of BN254's second group, as EIP-197 has it. */
const bn254Second = [
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2',
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed',
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b',
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
].join('');
const bn254Order = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

const { G1, G2 } = bls12_381;
const field = (value: bigint) => value.toString(16).padStart(128, '0');
const firstOf = (times: bigint) => {
  const { x, y } = G1.Point.BASE.multiply(times).toAffine();
  return field(x) + field(y);
};
const secondOf = (times: bigint) => {
  const { x, y } = G2.Point.BASE.multiply(times).toAffine();
  return field(x.c0) + field(x.c1) + field(y.c0) + field(y.c1);
};
const minusFirst = () => {
  const { x, y } = G1.Point.BASE.negate().toAffine();
  return field(x) + field(y);
};

/** A signature of P-256 over a digest, by the key 7. */
function p256verify(): string {
  const key = fromHex(`0x${word(7)}`);
  const signature = p256.sign(fromHex(digest), key, { prehash: false });
  const point = p256.Point.BASE.multiply(7n).toAffine();
  return word(digest) + toHex(signature).slice(2) + word(point.x) + word(point.y);
}

/** The polynomial 0: its commitment and its proof are the point at infinity. */
function kzg(): string {
  const infinity = `c0${'00'.repeat(47)}`;
  const versioned = `01${toHex(sha256(fromHex(`0x${infinity}`))).slice(4)}`;
  return versioned + word(5) + word(0) + infinity + infinity;
}

/** Name, number, and input in hex. */
export async function precompileInputs(): Promise<[name: string, number: number, input: string][]> {
  const signed = await ecrecover();
  const verified = p256verify();
  return [
    ['ECRECOVER', 1, signed],
    ['ECRECOVER of a wrong v', 1, signed.slice(0, 64) + word(29) + signed.slice(128)],
    ['SHA256', 2, '616263'],
    ['RIPEMD160', 3, '616263'],
    ['IDENTITY', 4, '0102030405'],
    ['MODEXP', 5, modexp('03', 'ffff', '0100000001')],
    ['MODEXP of zero', 5, modexp('', '', '00')],
    ['MODEXP of a long exponent', 5, modexp('ab'.repeat(64), 'cd'.repeat(64), 'ef'.repeat(64))],
    ['BN254 ADD', 6, word(1) + word(2) + word(1) + word(2)],
    ['BN254 ADD off the curve', 6, word(1) + word(3) + word(1) + word(2)],
    ['BN254 MUL', 7, word(1) + word(2) + word(1234567)],
    [
      'BN254 PAIRING',
      8,
      word(1) + word(2) + bn254Second + word(1) + word(bn254Order - 2n) + bn254Second,
    ],
    ['BN254 PAIRING of nothing', 8, ''],
    ['BLAKE2F', 9, blake2],
    ['BLAKE2F that is too short', 9, blake2.slice(2)],
    ['KZG', 10, kzg()],
    ['BLS G1ADD', 11, firstOf(2n) + firstOf(5n)],
    ['BLS G1MSM', 12, firstOf(2n) + word(9) + firstOf(3n) + word(11)],
    ['BLS G2ADD', 13, secondOf(2n) + secondOf(5n)],
    ['BLS G2MSM', 14, secondOf(2n) + word(9)],
    ['BLS PAIRING', 15, firstOf(1n) + secondOf(1n) + minusFirst() + secondOf(1n)],
    ['BLS PAIRING off the curve', 15, field(1n) + field(1n) + secondOf(1n)],
    ['BLS MAP_FP_TO_G1', 16, field(1234n)],
    ['BLS MAP_FP2_TO_G2', 17, field(1234n) + field(99n)],
    ['P256VERIFY', 256, verified],
    ['P256VERIFY of a wrong digest', 256, word(1) + verified.slice(64)],
  ];
}

/** By a contract, which also says whether the call went well; those that came with osaka are empty accounts before. */
export async function precompileCases({ samples }: CallWorld): Promise<CallCase[]> {
  const all = await precompileInputs();
  const addressOf = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;
  return all.flatMap(([name, number, input]): CallCase[] => [
    {
      name: `${name} by a contract`,
      call: { to: samples.forward, data: `0x${word(number)}${input}`, gas: hex(3_000_000) },
    },
    ...(/ (of|off|that) /.test(name)
      ? []
      : [{ name: `${name} itself`, call: { to: addressOf(number), data: `0x${input}` as Hex } }]),
  ]);
}
