/** Where the sources refuse, found by the type checker: each text that stands for a code of an error class. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';
import { sources } from '../../test/support/imports.js';

/** A place that refuses. */
export interface Site {
  /** For example `src/verify/gap.ts`. */
  readonly file: string;
  /** The lines of the statement, from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** The function that it stands in. */
  readonly place: string;
  /** Name of the type of its codes, `ShapeError` for that class. */
  readonly type: string;
  readonly code: string;
}

/** Name of what a node is, if it is a function, a method, a class, or a constant at the top of a file. */
function nameOf(node: ts.Node): ts.Node | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name;
  if (ts.isClassDeclaration(node)) return node.name;
  const isTop = ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent);
  return isTop && ts.isIdentifier(node.name) ? node.name : undefined;
}

/** Name of what a node stands in; empty if it stands in nothing with a name. */
function placeOf(node: ts.Node): string {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const name = nameOf(at);
    if (name) return name.getText();
  }
  return '';
}

const isStatement = (node: ts.Node) => ts.isThrowStatement(node) || ts.isReturnStatement(node);

/** The statement that throws or returns a node, if one does by itself. */
function ownStatement(node: ts.Node): ts.Node {
  for (let at = node; at !== undefined && !ts.isFunctionLike(at); at = at.parent) {
    if (isStatement(at)) return at;
  }
  return node;
}

/** The statements of a file that throw what one of its functions returns. */
function thrownBy(file: ts.SourceFile, name: string): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    const isCall = ts.isThrowStatement(node) && ts.isCallExpression(node.expression);
    if (isCall && node.expression.expression.getText() === name) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Where an error that is made at a node comes up: there, or wherever its file throws what the node's function returns. */
function statementsOf(file: ts.SourceFile, node: ts.Node): ts.Node[] {
  const own = ownStatement(node);
  const thrown = ts.isReturnStatement(own) ? thrownBy(file, placeOf(node)) : [];
  return thrown.length > 0 ? thrown : [own];
}

/** The codes of an error class. */
export interface CodeType {
  /** For example `AnchorErrorCode`. */
  readonly type: string;
  readonly names: readonly string[];
  /** Its room, for example `src/anchor`. */
  readonly room: string;
}

const shapeError = 'ShapeError';
const verifierError = 'VerificationError';

/** Files that make an error of the verifier anew, with the code that it had elsewhere. */
const remaking = ['src/pool/reply.ts', 'src/cli/explain/explain.ts'];

/** The type checker, over the files that name one of the error classes. */
function openSources(types: readonly string[]): {
  files: ts.SourceFile[];
  checker: ts.TypeChecker;
} {
  const config = ts.readConfigFile('tsconfig.json', ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, '.');
  const classes = new RegExp(types.map((type) => type.replace(/Code$/, '')).join('|'));
  const names = sources
    .map((name) => `src/${name}`)
    .filter((path) => classes.test(readFileSync(path, 'utf8')));
  const program = ts.createProgram(names, { ...options, types: [] });
  const files = names.map((name) => program.getSourceFile(name) as ts.SourceFile);
  return { files, checker: program.getTypeChecker() };
}

/** Whether a text is part of a constant of the form `[...] as const` or `{ ... } as const`. */
const isConstant = (node: ts.Node): boolean =>
  node.parent !== undefined &&
  ((ts.isAsExpression(node.parent) && ts.isConstTypeReference(node.parent.type)) ||
    (!ts.isFunctionLike(node.parent) && isConstant(node.parent)));

/**
 * All places of `src` that refuse with one of the codes, or throw a `ShapeError`, in the order of files and lines. A text
 * counts by the type that its place expects, so one that is compared is no such place, nor is another class's code of
 * the same name. In a class's own room a constant counts, too, and a place that takes some of its codes.
 */
export function sitesOf(types: readonly CodeType[]): Site[] {
  const { files, checker } = openSources([...types.map(({ type }) => type), shapeError]);
  const typeOf = (node: ts.StringLiteral, path: string): string | undefined => {
    const able = types.filter(({ names }) => names.includes(node.text));
    if (able.length === 0) return undefined;
    const expected = checker.getContextualType(node);
    const name = expected && (expected.aliasSymbol?.name ?? checker.typeToString(expected));
    const own = able.find(({ type }) => type === name?.replace(/ \| undefined$/, ''));
    if (own) return own.type;
    const isSome = expected === undefined ? isConstant(node) : /^"[A-Z_]+"/.test(name as string);
    return isSome ? able.find(({ room }) => path.startsWith(`${room}/`))?.type : undefined;
  };
  const found = new Map<string, Site>();
  for (const file of files) {
    const path = relative('.', file.fileName);
    const lineOf = (at: number) => file.getLineAndCharacterOfPosition(at).line + 1;
    const add = (node: ts.Node, type: string, code: string) => {
      for (const statement of statementsOf(file, node)) {
        const [line, lastLine] = [lineOf(statement.getStart(file)), lineOf(statement.end)];
        const site = { file: path, line, lastLine, place: placeOf(statement), type, code };
        found.set(`${path}:${line} ${code}`, site);
      }
    };
    const visit = (node: ts.Node): void => {
      const type = ts.isStringLiteral(node) ? typeOf(node, path) : undefined;
      if (type !== undefined) add(node, type, (node as ts.StringLiteral).text);
      if (
        ts.isNewExpression(node) &&
        checker.getTypeAtLocation(node).symbol?.name === verifierError
      ) {
        const [first] = node.arguments ?? [];
        // Anything else could be a law that the page does not have.
        if (!first || (!ts.isStringLiteral(first) && !remaking.includes(path))) {
          throw new Error(
            `${path}:${lineOf(node.getStart(file))}: name the code of a ${verifierError} there`,
          );
        }
      }
      const isShape = ts.isNewExpression(node) && node.expression.getText(file) === shapeError;
      if (isShape) add(node, shapeError, shapeError);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return [...found.values()].sort((one, other) =>
    one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1,
  );
}
