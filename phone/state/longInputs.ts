import { signal, type ReadonlySignal } from '@preact/signals';
import type { PermissionRequest } from '../../core/protocol/block/approvalBlocks.ts';
import { toolInput, type ToolInput } from '../../core/protocol/block/toolBlocks.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { decodeBase64 } from '../../core/protocol/base64.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { BlockId, ContentId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { ChannelClient } from '../net/channelClient.ts';

/** How far this phone has read the arguments of a request that were too long to be told with it. */
export type LongInput =
  | { readonly phase: 'reading'; readonly read: number; readonly total: number | undefined }
  | { readonly phase: 'read'; readonly input: ToolInput }
  | { readonly phase: 'failed'; readonly code: ErrorCode | 'unknown' };

/** Fetches the arguments that a request leaves out, piece by piece. */
export class LongInputs {
  readonly #request: ChannelClient['request'];
  readonly #matches: (request: PermissionRequest, input: ToolInput) => boolean;
  readonly #inputs = signal<ReadonlyMap<BlockId, LongInput>>(new Map());

  readonly inputs: ReadonlySignal<ReadonlyMap<BlockId, LongInput>> = this.#inputs;

  /** @param matches whether these are the arguments that the request's digest is for */
  constructor(
    request: ChannelClient['request'],
    matches: (request: PermissionRequest, input: ToolInput) => boolean,
  ) {
    this.#request = request;
    this.#matches = matches;
  }

  /** The arguments of a request as this phone has them: undefined until all of them are there. */
  of(request: PermissionRequest): ToolInput | undefined {
    if (request.content_id === undefined) return request.input;
    const known = this.#inputs.value.get(request.id);
    return known?.phase === 'read' ? known.input : undefined;
  }

  /** Reads all of it; what is being read, or was, is not read again. */
  async read(request: PermissionRequest): Promise<void> {
    const known = this.#inputs.value.get(request.id)?.phase;
    if (request.content_id === undefined || known === 'reading' || known === 'read') return;
    this.#set(request.id, { phase: 'reading', read: 0, total: undefined });
    this.#set(request.id, await this.#fetch(request, request.content_id));
  }

  /** Forgets all but those that wait. */
  retain(isWaiting: (id: BlockId) => boolean): void {
    const left = [...this.#inputs.value].filter(([id]) => isWaiting(id));
    if (left.length !== this.#inputs.value.size) this.#inputs.value = new Map(left);
  }

  async #fetch(request: PermissionRequest, content_id: ContentId): Promise<LongInput> {
    const pieces: Uint8Array[] = [];
    for (let read = 0; ;) {
      const asked = await this.#request({
        type: 'get_content',
        content_id,
        offset: read,
        max_bytes: limits.contentPieceBytes,
      });
      if (!asked.ok) return { phase: 'failed', code: asked.code };
      const { value } = asked;
      if (value.type === 'error') return { phase: 'failed', code: value.code };
      const bytes = value.type === 'content' && value.offset === read ? decodeBase64(value.data) : undefined;
      if (value.type !== 'content' || bytes === undefined || bytes.length === 0) return malformed;
      pieces.push(bytes);
      read += bytes.length;
      if (read > value.total_bytes || value.total_bytes > limits.fetchedInputBytes) return malformed;
      if (read === value.total_bytes) return this.#whole(request, pieces, read);
      this.#set(request.id, { phase: 'reading', read, total: value.total_bytes });
    }
  }

  #whole(request: PermissionRequest, pieces: readonly Uint8Array[], length: number): LongInput {
    const all = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    const parsed = toolInput.safeParse(jsonValue(new TextDecoder().decode(all)));
    if (!parsed.success) return malformed;
    // Other arguments than those that would run are not shown as if they were.
    return this.#matches(request, parsed.data)
      ? { phase: 'read', input: parsed.data }
      : { phase: 'failed', code: 'digest_mismatch' };
  }

  #set(id: BlockId, state: LongInput): void {
    this.#inputs.value = new Map(this.#inputs.value).set(id, state);
  }
}

const malformed: LongInput = { phase: 'failed', code: 'internal' };
