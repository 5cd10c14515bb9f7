/** Finds every check of a source file, and writes the file so that each of them can be left out while it runs. */
import ts from 'typescript';

/** A check, and the code that runs in its place when it is left out. */
export interface Check {
  /** Place in the source, as {@link leavable} needs it. */
  readonly start: number;
  readonly end: number;
  readonly isStatement: boolean;
  readonly without: string;
  readonly line: number;
  readonly text: string;
}

/** Whether a statement refuses: throws, or returns the "no" of a codec. */
function refuses(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) return statement.statements.some(refuses);
  if (ts.isThrowStatement(statement)) return true;
  const value = ts.isReturnStatement(statement) ? statement.expression : undefined;
  return value !== undefined && /^(undefined|false)$/.test(value.getText());
}

/** The operands of a chain of one logical operator. */
function operands(node: ts.Expression, kind: ts.SyntaxKind): ts.Expression[] {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== kind) return [node];
  return [...operands(node.left, kind), ...operands(node.right, kind)];
}

/** Logical operator -> the operand that changes nothing. */
const neutrals = [
  [ts.SyntaxKind.BarBarToken, 'false'],
  [ts.SyntaxKind.AmpersandAmpersandToken, 'true'],
] as const;

/**
 * Every check of a file: a refusing `if`, each operand of its `||` and `&&`, and each call whose result nobody uses
 * (a function that only checks).
 */
export function findChecks(name: string, source: string): Check[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ES2022, true);
  const checks: Check[] = [];
  const add = (node: ts.Node, isStatement: boolean, without: string) => {
    const start = node.getStart(file);
    checks.push({
      start,
      end: node.end,
      isStatement,
      without,
      line: file.getLineAndCharacterOfPosition(start).line + 1,
      text: source.slice(start, node.end).replaceAll(/\s+/g, ' ').slice(0, 100),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node) && refuses(node.thenStatement)) {
      add(node, true, node.elseStatement ? node.elseStatement.getText(file) : ';');
      for (const [kind, neutral] of neutrals) {
        const parts = operands(node.expression, kind);
        if (parts.length > 1) for (const part of parts) add(part, false, neutral);
      }
    }
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      if (ts.isIdentifier(node.expression.expression)) add(node, true, ';');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return checks;
}

/**
 * The file with a question before each check, which `setup.ts` answers: is this check left out?
 *
 * @param firstId number of the first check; the others follow it
 */
export function leavable(source: string, checks: readonly Check[], firstId: number): string {
  const insertions = checks.flatMap(({ start, end, isStatement, without }, i) => {
    const question = `globalThis.isLeftOut?.(${firstId + i})`;
    // The outer check of two that begin or end together was found first, and stays the outer one.
    return isStatement
      ? [
          { at: start, order: i, text: `{ if (${question}) { ${without} } else ` },
          { at: end, order: -i, text: ' }' },
        ]
      : [
          { at: start, order: i, text: `(${question} ? ${without} : (` },
          { at: end, order: -i, text: '))' },
        ];
  });
  const closesFirst = (text: string) => (/^[\s})]/.test(text) ? 0 : 1);
  insertions.sort(
    (a, b) => a.at - b.at || closesFirst(a.text) - closesFirst(b.text) || a.order - b.order,
  );
  let written = '';
  let from = 0;
  for (const { at, text } of insertions) {
    written += source.slice(from, at) + text;
    from = at;
  }
  return written + source.slice(from);
}
