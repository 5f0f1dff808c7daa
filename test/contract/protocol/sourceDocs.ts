import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What the sources say of an exported schema, and of its fields where they are written. */
export interface SourceDoc {
  readonly text: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Doc comments of every exported constant below a folder, by its name. */
export function sourceDocs(folder: string): ReadonlyMap<string, SourceDoc> {
  const docs = new Map<string, SourceDoc>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const file = join(folder, name);
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true);
    for (const statement of source.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      for (const declaration of statement.declarationList.declarations) {
        const fields = new Map<string, string>();
        collectFields(declaration, fields);
        docs.set(declaration.name.getText(), { text: commentOf(statement), fields });
      }
    }
  }
  return docs;
}

function collectFields(node: ts.Node, fields: Map<string, string>): void {
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
    const comment = commentOf(node);
    if (comment !== '') fields.set(node.name.getText(), comment);
  }
  ts.forEachChild(node, child => collectFields(child, fields));
}

function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(doc => ts.getTextOfJSDocComment(doc.comment) ?? '')
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
