/** What `docs/laws.md` says beside its tables. */

export const head = `# Law by law

Which line refuses what, and what shows that it does. \`npm run laws\` writes this page from the sources, the vectors and the tests; a test fails if it is not
what they make. Paths of forgeries are those below \`vectors\`, if they do not begin with \`test\`, and \`*\` stands for both hash families. Paths of tests are those
below \`test\`. Neither are part of the package: they are in its repository.

- **Lines** are found by the type checker: each statement of \`src\` that throws an error with the code.
- **Forgeries** are run: each stands at the line that its error comes from. Each must be refused, with this very code: the file names it, or the second verifier
  says it, which shares no code with this one ([protocol](protocol.md), 8.3). A cell names one of each file, and how many more there are.
- **Tests** are those that run these forgeries, and those of the line's folder that name the code.

That each of these checks is needed is shown by \`npm test -- checks\`, which leaves out one after the other and wants a test to fail
([testing](testing.md#checks-that-are-left-out)).

## Laws of the verifier

\`VerificationError\`: a well-formed proof of something else. Answers, compact proofs, traces, and answers to \`eth_getProof\` share these codes.`;

export const shapeHead = `## What is no proof at all

\`ShapeError\`: types, counts, widths, digits, ranges, and field elements that are not canonical ([protocol](protocol.md) 2, 3 and 7.1, [compact](compact.md) 3). A line
without a forgery is about the object of the language, not about its text, or about traces: \`npm test -- checks\` shows that a test fails without it.`;

export const othersHead = `## On the way to a root, and on from it

Their proofs are made by the tests from chains and trees of their own; [threats](threats.md) says who can lie here, and which test shows it.`;
