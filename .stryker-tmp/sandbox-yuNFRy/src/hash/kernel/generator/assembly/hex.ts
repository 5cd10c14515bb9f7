/** Hexadecimal text to bytes, digit by digit; digits of either case, no prefix. */
// @ts-nocheck


/** Value of an ASCII hexadecimal digit, 0x100 for any other byte; without branches, since digits are unpredictable. */
@inline
function digit(at: usize): u32 {
  const c: u32 = load<u8>(at)
  const letter = (c | 0x20) - 0x61
  return select<u32>(c - 0x30, select<u32>(letter + 10, 0x100, letter < 6), c - 0x30 < 10)
}

/** Decodes 2 * `bytes` digits; false when one of them is no digit, the output is then meaningless. */
export function decodeDigits(src: usize, bytes: u32, dst: usize): bool {
  let seen: u32 = 0
  for (const end = dst + bytes; dst < end; dst++, src += 2) {
    const high = digit(src)
    const low = digit(src + 1)
    seen |= high | low
    store<u8>(dst, (high << 4) | low)
  }
  return seen < 0x100
}
