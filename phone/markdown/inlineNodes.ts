import type { MarkedToken, Token } from 'marked';
import { decodeEntities } from './decodeEntities.ts';
import { isMarkedToken } from './isMarkedToken.ts';
import type { MarkdownInline } from './markdownNode.ts';
import { safeHref } from './safeHref.ts';

/** What stands within a line. */
export function inlineNodes(tokens: readonly Token[]): readonly MarkdownInline[] {
  return tokens.filter(isMarkedToken).flatMap(inlineNode);
}

function inlineNode(token: MarkedToken): readonly MarkdownInline[] {
  switch (token.type) {
    case 'text':
      return token.tokens ? inlineNodes(token.tokens) : [{ kind: 'text', text: decodeEntities(token.text) }];
    case 'escape':
      return [{ kind: 'text', text: token.text }];
    case 'codespan':
      return [{ kind: 'code', text: token.text }];
    case 'br':
      return [{ kind: 'break' }];
    case 'strong':
    case 'em':
    case 'del':
      return [{ kind: token.type, content: inlineNodes(token.tokens) }];
    case 'link': {
      const href = safeHref(token.href);
      const content = inlineNodes(token.tokens);
      return href === undefined ? content : [{ kind: 'link', href, content }];
    }
    // Loading a picture would tell its server that somebody reads this.
    case 'image': {
      const href = safeHref(token.href);
      const content: readonly MarkdownInline[] = [
        { kind: 'text', text: `[image: ${decodeEntities(token.text) || token.href}]` },
      ];
      return href === undefined ? content : [{ kind: 'link', href, content }];
    }
    case 'html':
      return [{ kind: 'text', text: token.raw }];
    case 'checkbox':
    case 'space':
    case 'def':
      return [];
    case 'blockquote':
    case 'code':
    case 'heading':
    case 'hr':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'table':
      return [{ kind: 'text', text: token.raw }];
  }
}
