/** The code of an error of our modules, or of anything else that was thrown. */
export const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;
