import * as z from 'zod/mini';
import type { AgentId } from '../../../core/protocol/ids.ts';
import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import { classifyCommand } from './classifyCommand.ts';
import { provenPath, type PathScope } from './provenPath.ts';
import type { SafetyClass } from './safetyClass.ts';
import { isSecretName } from './secretName.ts';

/** Agents whose tools are known by name. Another agent's tool of the same name may do anything. */
const knownAgents: ReadonlySet<string> = new Set(['claude-code', 'demo']);

const count = z.optional(z.int().check(z.gte(0)));
const flag = z.optional(z.boolean());
// Strict: an argument that is not known here may change what the tool does.
const shell = z.strictObject({
  command: z.string(),
  description: z.optional(z.string()),
  timeout: count,
  run_in_background: z.optional(z.literal(false)),
});
const read = z.strictObject({ file_path: z.string(), offset: count, limit: count });
const list = z.strictObject({ path: z.string() });
const find = z.strictObject({ pattern: z.string(), path: z.optional(z.string()) });
const search = z.strictObject({
  pattern: z.string(),
  path: z.optional(z.string()),
  glob: z.optional(z.string()),
  type: z.optional(z.string().check(z.regex(/^[a-z0-9]{1,32}$/))),
  output_mode: z.optional(z.enum(['content', 'files_with_matches', 'count'])),
  '-A': count,
  '-B': count,
  '-C': count,
  '-i': flag,
  '-n': flag,
  head_limit: count,
  offset: count,
  multiline: flag,
});
const toDos = z.strictObject({ todos: z.array(z.unknown()) });

export function knowsToolsOf(agent: AgentId): boolean {
  return knownAgents.has(agent);
}

/** What a call of an agent's own tool may do: proven harmless, or to be asked. */
export function classifyTool(
  agent: AgentId,
  tool: string,
  input: ToolInput,
  scope: PathScope,
  hasPosixShell: boolean,
): SafetyClass {
  if (!knowsToolsOf(agent)) return 'requiresAuthorization';
  switch (tool) {
    case 'Bash': {
      const parsed = shell.safeParse(input);
      return parsed.success && hasPosixShell
        ? classifyCommand(parsed.data.command, scope)
        : 'requiresAuthorization';
    }
    case 'TodoWrite':
      return toDos.safeParse(input).success ? 'locallyContained' : 'requiresAuthorization';
    default:
      return readsOnly(tool, input, scope) ? 'locallyReadOnly' : 'requiresAuthorization';
  }
}

function readsOnly(tool: string, input: ToolInput, scope: PathScope): boolean {
  switch (tool) {
    case 'Read': {
      const parsed = read.safeParse(input);
      return parsed.success && provenPath(parsed.data.file_path, scope) === 'file';
    }
    case 'LS': {
      const parsed = list.safeParse(input);
      return parsed.success && provenPath(parsed.data.path, scope) === 'directory';
    }
    case 'Glob': {
      const parsed = find.safeParse(input);
      if (!parsed.success || !isOpenGlob(parsed.data.pattern)) return false;
      return provenPath(parsed.data.path ?? '.', scope) === 'directory';
    }
    case 'Grep': {
      const parsed = search.safeParse(input);
      if (!parsed.success) return false;
      const { path = '.', glob, output_mode } = parsed.data;
      if (glob !== undefined && !isOpenGlob(glob)) return false;
      const kind = provenPath(path, scope);
      // In a folder it looks into hidden files too, so there it may only name files.
      return kind === 'file' || (kind === 'directory' && output_mode !== 'content');
    }
    default:
      return false;
  }
}

/** A pattern for names within the folder that it is looked for in. */
function isOpenGlob(pattern: string): boolean {
  if (!/^[\w.,*?{}@+/-]{1,256}$/.test(pattern) || pattern.startsWith('/')) return false;
  return !pattern.split(/[/{},]/).some(part => part === '..' || isSecretName(part));
}
