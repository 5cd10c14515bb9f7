/** A number as sums are kept: two's complement, big-endian, none of its first bytes can go without a change of the value. */
export function toSignedBytes(number: bigint): Uint8Array {
  let width = 0;
  while (BigInt.asIntN(8 * width, number) !== number) width++;
  const digits = BigInt.asUintN(8 * width, number).toString(16);
  return Uint8Array.from(Buffer.from(digits.padStart(2 * width, '0').slice(0, 2 * width), 'hex'));
}
