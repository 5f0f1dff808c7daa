/** Markdown as this app draws it: nothing in here can be HTML. */
export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly MarkdownInline[] }
  | { readonly kind: 'paragraph'; readonly content: readonly MarkdownInline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly MarkdownBlock[] }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly MarkdownItem[];
    }
  | {
      readonly kind: 'table';
      readonly header: readonly MarkdownCell[];
      readonly rows: readonly (readonly MarkdownCell[])[];
    }
  | { readonly kind: 'rule' };

export interface MarkdownItem {
  /** Of a task list; undefined otherwise. */
  readonly checked: boolean | undefined;
  readonly blocks: readonly MarkdownBlock[];
}

export interface MarkdownCell {
  readonly align: 'left' | 'center' | 'right' | undefined;
  readonly content: readonly MarkdownInline[];
}

export type MarkdownInline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly content: readonly MarkdownInline[] }
  /** `href` is one of the allowed protocols. */
  | { readonly kind: 'link'; readonly href: string; readonly content: readonly MarkdownInline[] };

/** A top-level block and the source it was read from. */
export interface MarkdownPiece {
  readonly raw: string;
  readonly block: MarkdownBlock;
}
