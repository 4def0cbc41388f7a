import ts from "typescript";

export interface DeclaredName {
  name: string;
  line: number;
  isExported: boolean;
}

/** Returns the names that a source file declares, and its comments. */
export function findNames(file: string, text: string): { names: DeclaredName[]; comments: DeclaredName[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const names: DeclaredName[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node) => {
    if (isDeclaration(node) && node.name && ts.isIdentifier(node.name)) {
      names.push({ name: node.name.text, line: lineOf(node.name.pos), isExported: isExported(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return {
    names,
    comments: findComments(text).map(({ name, position }) => ({ name, line: lineOf(position), isExported: false })),
  };
}

type Declaration = ts.NamedDeclaration & { name?: ts.Node };

const isDeclaration = (node: ts.Node): node is Declaration =>
  ts.isVariableDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isPropertySignature(node) ||
  ts.isMethodSignature(node);

function isExported(node: ts.Node): boolean {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function findComments(text: string): { name: string; position: number }[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.JSX, text);
  const found: { name: string; position: number }[] = [];
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const isComment = token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia;
    if (isComment) found.push({ name: scanner.getTokenText(), position: scanner.getTokenStart() });
  }
  return found;
}
