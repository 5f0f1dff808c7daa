/** Bounds that every party keeps (protocol.md 2.4). Sizes are bytes unless the name says otherwise. */
export const limits = {
  /** Largest relay frame accepted after hello. */
  frameBytes: 262_144,
  /** Largest frame accepted before a peer has said who it is. */
  helloBytes: 8_192,
  helloTimeoutMs: 10_000,
  /** Largest plaintext that one envelope can carry. */
  plaintextBytes: 192_511,
  promptBytes: 65_536,
  /** UTF-16 units of one text or thinking block. */
  textChars: 49_152,
  /** UTF-16 units of a tool result or a diff in one block. */
  bulkChars: 32_768,
  idChars: 128,
  titleChars: 200,
  /** Of the name of a language (BCP 47 allows for 35). */
  languageChars: 35,
  /** Of a command, in UTF-16 units. */
  commandChars: 8_192,
  /** The end of a running command's output, in UTF-16 units. */
  tailChars: 4_096,
  /** Base64 characters of one piece of terminal output. */
  terminalChars: 65_536,
  /** A month: longer is no duration but a mistake. */
  durationMs: 31 * 24 * 3_600_000,
  /** Base64 characters of one piece of a stream from the phone. */
  pieceChars: 131_072,
  historyBlocks: 50,
  /** Blocks of a snapshot: more missed blocks than this are not replayed. */
  snapshotBlocks: 200,
  contentPieceBytes: 65_536,
  /** Of an action's arguments as JSON: longer ones are not in the request, and are fetched before it can be allowed. */
  shownInputBytes: 65_536,
  /** Arguments that are longer than this can be allowed at the desk only. */
  fetchedInputBytes: 1_048_576,
  attachments: 8,
  attachmentBytes: 10 * 1_048_576,
  planItems: 200,
  questionOptions: 16,
  slashCommands: 256,
  models: 128,
  queuedPrompts: 1_000,
  pathChars: 4_096,
  nameChars: 80,
  sessionsListed: 100,
  agentsListed: 32,
  resumableSessions: 256,
  queueFrames: 64,
  inFlight: 16,
  pairingMs: 120_000,
  pingIntervalMs: 30_000,
  idleCloseMs: 90_000,
  halfOpenHandshakes: 16,
  halfOpenMs: 10_000,
  accessTokenMs: 15 * 60_000,
  /** A resume token is bound to its device key, and over after this. */
  resumeTokenMs: 24 * 3_600_000,
  resumeTokenChars: 2_048,
  /** Of one push message as it is sealed (RFC 8291). */
  pushBodyBytes: 3_993,
  devices: 32,
  /** Longest that a device key goes on opening handshakes after the phone has named its next one. */
  replacedKeyMs: 24 * 3_600_000,
  /** Of one channel: then its keys are made anew by a fresh handshake. */
  channelMs: 24 * 3_600_000,
} as const;
