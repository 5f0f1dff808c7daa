import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonValue } from '../../core/base/jsonValue.ts';

interface Accepted {
  readonly home: string;
  readonly workspace: string;
  readonly version: string;
  readonly apiKey: string;
}

/**
 * What a user has answered when Claude Code's terminal was opened for the first time; without it, it asks Anthropic's own
 * services. Each action is asked for.
 */
export function acceptOnce({ home, workspace, version, apiKey }: Accepted): void {
  const file = join(home, '.claude.json');
  const known = existsSync(file) ? jsonValue(readFileSync(file, 'utf8')) : {};
  const accepted = {
    ...(typeof known === 'object' ? known : {}),
    hasCompletedOnboarding: true,
    lastOnboardingVersion: version,
    theme: 'dark',
    customApiKeyResponses: { approved: [apiKey.slice(-20)], rejected: [] },
    projects: { [workspace]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(file, JSON.stringify(accepted));
  mkdirSync(join(home, '.claude'), { recursive: true });
  const settings = { permissions: { defaultMode: 'default' }, disableAutoMode: 'disable' };
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(settings));
}
