/** Finds every check of a source file: what may be left out so that the file still compiles. */
import ts from 'typescript';

/** A piece of source and what it becomes without the check. */
export interface Removal {
  line: number;
  text: string;
  /** The whole file without the check. */
  mutated: string;
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

/**
 * Every check of a file, each removed on its own: a refusing `if`, each operand of its `||` and `&&`, and each
 * call whose result nobody uses (a function that only checks).
 */
export function findRemovals(name: string, source: string): Removal[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ES2022, true);
  const removals: Removal[] = [];
  const remove = (node: ts.Node, replacement: string) => {
    const start = node.getStart(file);
    removals.push({
      line: file.getLineAndCharacterOfPosition(start).line + 1,
      text: source.slice(start, node.end).replaceAll(/\s+/g, ' ').slice(0, 100),
      mutated: source.slice(0, start) + replacement + source.slice(node.end),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node) && refuses(node.thenStatement)) {
      remove(node, node.elseStatement ? node.elseStatement.getText(file) : ';');
      for (const [kind, neutral] of [
        [ts.SyntaxKind.BarBarToken, 'false'],
        [ts.SyntaxKind.AmpersandAmpersandToken, 'true'],
      ] as const) {
        const parts = operands(node.expression, kind);
        if (parts.length > 1) for (const part of parts) remove(part, neutral);
      }
    }
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      if (ts.isIdentifier(node.expression.expression)) remove(node, ';');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return removals;
}
