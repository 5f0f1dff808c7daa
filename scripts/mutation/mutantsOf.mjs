import ts from 'typescript';

const otherOperator = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);
/** A string that is a code or a name, not words for people. */
const code = /^[A-Za-z][\w.]*$/;

const isType = node =>
  ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
const isName = ({ parent }, node) => ts.isPropertyAssignment(parent) && parent.name === node;

/** The changes of one node itself, without its children: `[from, to, text, kind]`. */
function changesOf(node, source) {
  const whole = text => [node.getStart(source), node.end, text];
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    const text = `!(${condition.getText(source)})`;
    return [[condition.getStart(source), condition.end, text, 'negate the condition']];
  }
  if (ts.isBinaryExpression(node)) {
    const { operatorToken } = node;
    const text = otherOperator.get(operatorToken.kind);
    if (text === undefined) return [];
    const was = operatorToken.getText(source);
    return [[operatorToken.getStart(source), operatorToken.end, text, `${was} becomes ${text}`]];
  }
  if (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)) {
    const isSuper = ts.isCallExpression(node.expression) && node.expression.expression.kind === superKeyword;
    return isSuper ? [] : [[...whole('{}'), 'drop the statement']];
  }
  if (ts.isNumericLiteral(node)) {
    const next = String(Number(node.getText(source).replaceAll('_', '')) + 1);
    return isName(node, node) ? [] : [[...whole(next), `${node.getText(source)} becomes ${next}`]];
  }
  if (ts.isStringLiteral(node)) {
    if (!code.test(node.text) || isName(node, node)) return [];
    return [[...whole(`'not_${node.text}'`), `'${node.text}' becomes another code`]];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[...whole('false'), 'true becomes false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[...whole('true'), 'false becomes true']];
  if (isPlainFunction(node)) {
    if (!ts.isBlock(node.body)) {
      return [[node.body.getStart(source), node.body.end, 'undefined', 'return nothing']];
    }
    const begin = node.body.getStart(source) + 1;
    return node.body.statements.length > 0 ? [[begin, begin, 'return;', 'return early']] : [];
  }
  return [];
}

const superKeyword = ts.SyntaxKind.SuperKeyword;
const isPlainFunction = node =>
  ts.isFunctionLike(node) && node.body !== undefined && !ts.isConstructorDeclaration(node);

/** Whether a text is still a program: one that is not would turn every test red and prove nothing. */
function parses(file, text) {
  const { parseDiagnostics } = ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.ESNext,
    false,
    ts.ScriptKind.TS,
  );
  return parseDiagnostics.length === 0;
}

/**
 * All single changes of meaning in one source file. None of them is in a type, an import, or a program that no longer parses.
 *
 * @typedef {{ file: string, at: number, line: number, kind: string, text: string }} Mutant `text` is the whole changed file
 * @param {string} file
 * @param {string} text
 * @param {(at: number) => boolean} wanted whether the code at an offset is to be changed
 * @returns {Mutant[]}
 */
export function mutantsOf(file, text, wanted = () => true) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
  const mutants = [];
  const visit = node => {
    if (isType(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    for (const [from, to, replacement, kind] of changesOf(node, source)) {
      if (!wanted(from)) continue;
      const changed = text.slice(0, from) + replacement + text.slice(to);
      const line = source.getLineAndCharacterOfPosition(from).line + 1;
      if (parses(file, changed)) mutants.push({ file, at: from, line, kind, text: changed });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}
