/** Gas, for people. */

/** How much of a limit was used, in percent. @param whole 0 counts as nothing used */
export function shareText(part: bigint, whole: bigint, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  return format.format(whole === 0n ? 0 : Number((1_000_000n * part) / whole) / 1_000_000);
}
