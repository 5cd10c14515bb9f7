/** Queries of requests. */

/** Values of a query; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function toParams(query: Query): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.append(name, String(value));
  }
  return params;
}
