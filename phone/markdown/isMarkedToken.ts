import type { MarkedToken, Token } from 'marked';

/** Every token of the lexer is one of the known ones, as long as no extension adds others: none does here. */
export function isMarkedToken(token: Token): token is MarkedToken {
  return typeof token.type === 'string';
}
