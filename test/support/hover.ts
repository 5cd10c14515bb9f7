/** Functions of the package as an editor shows them: by TypeScript's own language service, in a project that has the package. */
import { join } from 'node:path';
import ts from 'typescript';

/** A function that an entry exports. */
export interface Hover {
  readonly entry: string;
  readonly name: string;
  /** All that an editor shows of it, as text. */
  readonly text: string;
  /** The code of its example, undefined if it has none. */
  readonly example: string | undefined;
}

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/** A language service for one file in the project. */
function serve(file: string) {
  let text = '';
  let version = 0;
  const read = (name: string) => (name === file ? text : ts.sys.readFile(name));
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => String(name === file ? version : 0),
    getScriptSnapshot: (name) => {
      const content = read(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => join(file, '..'),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return {
    service,
    edit(content: string) {
      text = content;
      version++;
    },
  };
}

/** The names of the functions that the entries export; no classes, and nothing that is no function. */
function functionsOf(service: ts.LanguageService, file: string): string[][] {
  const program = service.getProgram() as ts.Program;
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file) as ts.SourceFile;
  return source.statements.filter(ts.isImportDeclaration).map(({ moduleSpecifier }) => {
    const entry = checker.getSymbolAtLocation(moduleSpecifier) as ts.Symbol;
    const exported = checker.getExportsOfModule(entry).filter((symbol) => {
      const isAlias = symbol.flags & ts.SymbolFlags.Alias;
      const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
      if (!(target.flags & ts.SymbolFlags.Value)) return false;
      return checker.getTypeOfSymbolAtLocation(target, source).getCallSignatures().length > 0;
    });
    return exported.map(({ name }) => name);
  });
}

/** What the editor shows at a place. */
function hoverAt(service: ts.LanguageService, file: string, position: number) {
  const shown = service.getQuickInfoAtPosition(file, position);
  const text = ts.displayPartsToString(shown?.documentation);
  const tag = shown?.tags?.find(({ name }) => name === 'example');
  const [, example] = /^```ts\n([^]*?)```$/.exec(ts.displayPartsToString(tag?.text)) ?? [];
  return { text: `${ts.displayPartsToString(shown?.displayParts)}\n${text}`, example };
}

/**
 * The public functions of entries.
 *
 * @param project has the package installed
 * @param entries as they are imported
 */
export function hoversOf(project: string, entries: readonly string[]): Hover[] {
  const file = join(project, 'hover.ts');
  const { service, edit } = serve(file);
  const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}';\n`).join('');
  edit(imports);
  const named = functionsOf(service, file).flatMap((names, i) =>
    names.map((name) => ({ i, name })),
  );
  edit(imports + named.map(({ i, name }) => `entry${i}.${name};\n`).join(''));
  let position = imports.length;
  const hovers = named.map(({ i, name }) => {
    const start = position + `entry${i}.`.length;
    position = start + name.length + ';\n'.length;
    return { entry: entries[i] as string, name, ...hoverAt(service, file, start) };
  });
  service.dispose();
  return hovers;
}

/** What an example says that it prints: the comments beside its `console.log`, and in the lines behind it. */
export function printedBy(example: string): string {
  const printed: string[] = [];
  let isPrinting = false;
  for (const line of example.split('\n')) {
    const [, said] = /^\s*console\.log\(.*\);(?: \/\/ (.*))?$/.exec(line) ?? [];
    const isLog = /^\s*console\.log\(/.test(line);
    const [, comment] = /^\/\/ (.*)$/.exec(line) ?? [];
    if (isLog && said !== undefined) printed.push(said);
    else if (isPrinting && comment !== undefined) printed.push(comment);
    // The end of a block that prints.
    isPrinting = isLog || (isPrinting && (comment !== undefined || line === '}'));
  }
  return printed.join('\n');
}
