import { fail, type Result } from '../../core/base/result.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { Actor } from './actor.ts';
import { bridgeCommands } from './bridgeCommands.ts';
import type { Session } from './session.ts';

type Target = Pick<Session, 'commands' | 'turn' | 'prompt' | 'interrupt' | 'end'>;

/**
 * Carries out a command that the session lists, and no other: ours here, the agent's as a prompt of its name.
 *
 * @param clientMsgId of the prompt
 */
export function runSlashCommand(
  session: Target,
  { name, args = '' }: { readonly name: string; readonly args?: string | undefined },
  clientMsgId: string,
  actor: Actor,
): Result<void, ErrorCode> {
  const own = bridgeCommands.find(command => command.name === name);
  switch (own?.name) {
    case 'stop':
      return session.turn === undefined ? fail('not_running') : session.interrupt(session.turn);
    case 'end':
      return session.end();
    case undefined:
      break;
  }
  if (!session.commands.some(command => command.name === name)) return fail('unsupported_operation');
  const words = args.trim();
  return session.prompt(words === '' ? `/${name}` : `/${name} ${words}`, clientMsgId, actor);
}
