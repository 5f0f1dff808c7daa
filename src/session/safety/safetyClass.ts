import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';

/**
 * What an action may do, established here and by nobody else (requirement M63). The first two are proven to read within
 * the workspace, or to change nothing that anybody could lose; everything that is not proven requires an answer.
 */
export type SafetyClass = 'locallyReadOnly' | 'locallyContained' | 'requiresAuthorization';

/** How grave an action is, for people. */
export type Risk = PermissionRequest['risk'];
