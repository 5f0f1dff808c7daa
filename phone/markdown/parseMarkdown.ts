import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { MarkdownBlock, MarkdownItem, MarkdownPiece } from './markdownNode.ts';
import { inlineNodes } from './inlineNodes.ts';
import { isMarkedToken } from './isMarkedToken.ts';

/** Quotes and lists within each other beyond any use: reading or drawing them would exhaust the stack. */
const tooDeep = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){24}/m;

/**
 * Reads Markdown into nodes. Raw HTML is text, images are not loaded, links keep only allowed protocols.
 *
 * @param known pieces of an earlier reading: a block whose source is unchanged is the same object again
 */
export function parseMarkdown(source: string, known: readonly MarkdownPiece[]): readonly MarkdownPiece[] {
  if (tooDeep.test(source)) return [{ raw: source, block: { kind: 'code', language: '', text: source } }];
  const earlier = new Map(known.map(piece => [piece.raw, piece]));
  return new Lexer({ gfm: true }).lex(source).flatMap(token => {
    const same = earlier.get(token.raw);
    if (same !== undefined) return [same];
    return blocksOf([token]).map(block => ({ raw: token.raw, block }));
  });
}

function blocksOf(tokens: readonly Token[]): readonly MarkdownBlock[] {
  return tokens.filter(isMarkedToken).flatMap(blockOf);
}

function blockOf(token: MarkedToken): readonly MarkdownBlock[] {
  switch (token.type) {
    case 'heading':
      return [{ kind: 'heading', level: token.depth, content: inlineNodes(token.tokens) }];
    case 'paragraph':
      return [{ kind: 'paragraph', content: inlineNodes(token.tokens) }];
    case 'code':
      return [{ kind: 'code', language: (token.lang ?? '').split(/\s/)[0] ?? '', text: token.text }];
    case 'blockquote':
      return [{ kind: 'quote', blocks: blocksOf(token.tokens) }];
    case 'list':
      return [listOf(token)];
    case 'table':
      return [tableOf(token)];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    // What is left stands in a line: text of a tight list item, or HTML, which is shown as the text that it is.
    case 'text':
    case 'html':
    case 'br':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
      return [{ kind: 'paragraph', content: inlineNodes([token]) }];
  }
}

function listOf(list: Tokens.List): MarkdownBlock {
  const items = list.items.map((item): MarkdownItem => {
    return { checked: item.task ? item.checked === true : undefined, blocks: blocksOf(item.tokens) };
  });
  return { kind: 'list', ordered: list.ordered, start: list.start === '' ? 1 : list.start, items };
}

function tableOf(table: Tokens.Table): MarkdownBlock {
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.map(cell => ({ align: cell.align ?? undefined, content: inlineNodes(cell.tokens) }));
  return { kind: 'table', header: cells(table.header), rows: table.rows.map(cells) };
}
