// What `npm start` tells a person.

export const help = `Usage: npm start [-- OPTIONS]

Builds Terminull and starts all of it on this machine: a relay, which also serves the phone app, and an editor in the browser
(code-server, installed on first use) with the extension and a small demo workspace.

  --port N         port of the relay and the phone app (default 8787)
  --editor-port N  port of the editor (default 8788)
  --no-open        do not open the editor in a browser
  --lan            let a real phone in this network try it at once, over plain HTTP: the phone keeps nothing, and anyone in
                   the network could alter its app. For a trial only
  --public-url URL the https address of a TLS front (such as Caddy) or tunnel before the relay: the real way
  --help           show this text

Everything listens on 127.0.0.1 only, but for the relay with --lan. Ctrl+C ends all of it. What Terminull keeps is in
~/.terminull (or TERMINULL_HOME); your own VS Code is not touched.`;

/**
 * The lines about coding agents.
 *
 * @param {{ name: string, version: string | undefined }[]} agents those that were found on PATH
 */
export function agentLines(agents) {
  const found = agents.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  const also = found.length === 0 ? 'no other agent was found on PATH' : `found on PATH: ${found.join(', ')}`;
  const hasClaude = agents.some(({ name }) => name === 'Claude Code');
  return [
    `Demo agent (built in); ${also}.`,
    hasClaude
      ? 'In this version the Demo agent and Claude Code can be run from Terminull.'
      : 'In this version the Demo agent can be run from Terminull, and Claude Code if installed.',
  ];
}

const phonePlace = {
  local: '(in a browser on this machine)',
  lan: '(on a phone in this network)',
  public: '(on any phone)',
};

const realPhoneLines = {
  local: relayUrl => [
    '  At once, for a trial in your own network:  npm start -- --lan',
    `  The real way: put a TLS front (such as Caddy) or a tunnel before ${relayUrl},`,
    '  then  npm start -- --public-url https://its.address',
  ],
  lan: () => [
    '  Scan the code in the editor, or open the address below. This is a trial over plain HTTP: the phone keeps nothing when',
    '  its page is closed, and anyone in this network could have altered the app. Use a network that you trust.',
  ],
  public: (relayUrl, url) => [`  ${url} must lead to ${relayUrl}. Then scan the code in the editor.`],
};

/**
 * The lines that say where to look and what to do next.
 *
 * @param {{ editorUrl: string | undefined, relayUrl: string, reach: ReturnType<typeof import('./reach.mjs').reachOf>, vsix: string, paint: Record<string, (text: string) => string> }} state
 */
export function nextLines({ editorUrl, relayUrl, reach, vsix, paint }) {
  const places = [
    ...(editorUrl === undefined ? [] : [`  Editor  ${paint.cyan(editorUrl)}`]),
    `  Phone   ${paint.cyan(`${reach.kind === 'local' ? relayUrl : reach.url}/`)}  ${paint.dim(phonePlace[reach.kind])}`,
  ];
  const where =
    editorUrl === undefined
      ? `Install ${vsix} into your editor, set terminull.relayUrl to ${relayUrl},`
      : 'In the editor, run Terminull: Pair Phone (F1, or the phone in the status bar),';
  return [
    ...places,
    '',
    paint.bold('What to do next'),
    `  1. ${where}`,
    `     ${editorUrl === undefined ? 'run Terminull: Pair Phone, ' : ''}and open its link in another window of this browser: that page is the phone.`,
    '  2. The phone shows six digits; type them in the editor.',
    '  3. Start a session on the phone and send: write a note',
    '',
    paint.bold('A real phone'),
    ...realPhoneLines[reach.kind](relayUrl, reach.url),
  ];
}
