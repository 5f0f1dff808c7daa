import type { AttachmentRule, PromptFile } from '../agent.ts';

type ImageMime = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** A part of a prompt, as the model's service knows them. */
export type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: { readonly type: 'base64'; readonly media_type: ImageMime; readonly data: string };
    };

const imageMimes: readonly ImageMime[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const textMimes = ['text/plain', 'text/markdown', 'text/csv', 'application/json'];

/** The prompt is one line of at most 4 MiB, in which an image takes a third more. */
export const claudeAttachments: AttachmentRule = {
  mimes: [...imageMimes, ...textMimes],
  totalBytes: 2_500_000,
};

/**
 * A prompt with its files: images as they are, texts with their names.
 *
 * @throws RangeError for a file that `claudeAttachments` rules out: whoever takes files in asks it first
 */
export function promptContent(text: string, files: readonly PromptFile[]): string | readonly PromptPart[] {
  if (files.length === 0) return text;
  const total = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  if (total > claudeAttachments.totalBytes) throw new RangeError('the files of a prompt are too large');
  return [...files.map(partOf), { type: 'text', text }];
}

function partOf({ mime, name, bytes }: PromptFile): PromptPart {
  const data = Buffer.from(bytes);
  const image = imageMimes.find(each => each === mime);
  if (image !== undefined)
    return { type: 'image', source: { type: 'base64', media_type: image, data: data.toString('base64') } };
  if (!textMimes.includes(mime)) throw new RangeError('a file of a prompt is of a kind that is not taken');
  const label = name.replace(/[^\p{L}\p{N}._ -]/gu, '_');
  return {
    type: 'text',
    text: `The file "${label}", which the user sends along:\n\n${data.toString('utf8')}`,
  };
}
