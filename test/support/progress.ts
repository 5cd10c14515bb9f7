/** What commands say of how far they have come. */

const line = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [a-z ]+, [^\n]*\n/gm;

/** What a command said on stderr, without its progress: that comes every ten seconds, so a slow machine shows some. */
export const withoutProgress = (stderr: string): string => stderr.replace(line, '');
