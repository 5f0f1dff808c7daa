/** Names that package.json declares; a test keeps the two equal. */
export const commandId = {
  pairPhone: 'terminull.pairPhone',
  newSession: 'terminull.newSession',
  continueInTerminal: 'terminull.continueInTerminal',
  choosePermissions: 'terminull.choosePermissions',
  changeWaiting: 'terminull.changeWaiting',
  shareSession: 'terminull.shareSession',
  endSession: 'terminull.endSession',
  revokeDevice: 'terminull.revokeDevice',
  showLog: 'terminull.showLog',
} as const;

export const viewId = { sessions: 'terminull.sessions', devices: 'terminull.devices' } as const;

export const contextKey = { ready: 'terminull.ready', failed: 'terminull.failed' } as const;

export const settingId = {
  relayUrl: 'terminull.relayUrl',
  shareTerminals: 'terminull.shareTerminals',
  claudeExecutable: 'terminull.claudeCode.executable',
} as const;
