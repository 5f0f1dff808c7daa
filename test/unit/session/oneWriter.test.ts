import fc from 'fast-check';
import { deviceId } from '../../../core/protocol/ids.ts';
import { sessionModes } from '../../../src/session/approval/sessionMode.ts';
import type { Actor } from '../../../src/session/actor.ts';
import { SessionModel } from '../../fakes/world/sessionModel.ts';

const desk: Actor = { kind: 'desktop' };
const phone: Actor = { kind: 'device', deviceId: deviceId.parse('d_1'), name: 'Phone' };

const by = fc.constantFrom(desk, phone);
const which = fc.nat(9);
const window = fc.constantFrom(0 as const, 1 as const);
const isOther = fc.boolean();

/** Something that happens, so often among all that may. */
function step<const Name extends string, Of extends object>(
  weight: number,
  name: Name,
  of: { [Key in keyof Of]: fc.Arbitrary<Of[Key]> },
): { weight: number; arbitrary: fc.Arbitrary<{ readonly do: Name } & Of> } {
  return { weight, arbitrary: fc.record(of).map(fields => ({ do: name, ...fields })) };
}
const anyStep = fc.oneof(
  step(6, 'agent', { steps: fc.integer({ min: 1, max: 4 }) }),
  step(4, 'prompt', {
    by,
    kind: fc.constantFrom('tell' as const, 'ask' as const, 'ask' as const, 'query' as const),
    delivery: fc.constantFrom('queue' as const, 'queue' as const, 'steer' as const),
  }),
  step(5, 'answer', { which, by, allows: fc.boolean(), isOther }),
  step(3, 'reply', { which, by, option: fc.constantFrom('yes', 'no', 'never offered') }),
  step(1, 'repeat', { which, isOther, by }),
  step(2, 'edit', { which }),
  step(2, 'cancel', { which }),
  step(1, 'send now', { which }),
  step(1, 'mode', { mode: fc.constantFrom(...sessionModes), by }),
  step(2, 'interrupt', {}),
  step(1, 'crash', {}),
  step(1, 'to terminal', {}),
  step(2, 'type', {}),
  step(1, 'leave terminal', {}),
  step(2, 'window crashes', { window }),
  step(3, 'window looks', { window, keeperDelay: fc.constantFrom(0, 6, 12) }),
  step(1, 'window is overtaken', {}),
  step(2, 'power fails', {}),
  step(1, 'time', { ms: fc.nat(20_000) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

async function take(model: SessionModel, each: Step): Promise<void> {
  switch (each.do) {
    case 'agent':
      for (let count = 0; count < each.steps; count += 1) {
        model.machine.step();
        await model.check();
      }
      return;
    case 'prompt':
      return model.prompt(each.by, each.kind, each.delivery);
    case 'answer':
      return model.answer(each.which, each.by, each.allows, each.isOther);
    case 'reply':
      return model.reply(each.which, each.by, each.option);
    case 'repeat':
      return model.repeat(each.which, each.isOther, each.by);
    case 'edit':
      return model.edit(each.which);
    case 'cancel':
      return model.cancel(each.which);
    case 'send now':
      return model.sendNow(each.which);
    case 'mode':
      return model.setMode(each.mode, each.by);
    case 'interrupt':
      return model.interrupt();
    case 'crash':
      for (const program of model.machine.processes) program.crash();
      return;
    case 'to terminal':
      void model.session?.continueInTerminal();
      return;
    case 'type':
      return model.typeAtTheDesk();
    case 'leave terminal':
      for (const terminal of model.machine.terminals) if (terminal.isRunning) terminal.leave();
      return;
    case 'window crashes':
      return model.windows.crash(each.window);
    case 'power fails':
      return model.failPower();
    case 'window is overtaken':
      return model.overtake();
    case 'window looks':
      return model.look(each.window, each.keeperDelay);
    case 'time':
      return model.windows.clock.pass(each.ms);
  }
}

describe('desk, phone, two windows and an agent that may do anything at any time [T103] [D3] [D5] [D11]', function () {
  it('never make two writers, lose or double an accepted prompt, or run what was not allowed as it was shown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 50, size: 'max' }), async steps => {
        const model = new SessionModel();
        try {
          model.windows.create();
          for (const each of steps) {
            await take(model, each);
            await model.check();
          }
          await model.finish();
        } finally {
          model.windows.dispose();
        }
      }),
    );
  });
});
