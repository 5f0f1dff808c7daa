// What `npm start` tells a person.

export const help = `Usage: npm start [-- OPTIONS]

Builds Terminull and starts all of it on this machine: a relay, which also serves the phone app, and an editor in the browser
(code-server, installed on first use) with the extension and a small demo workspace.

  --port N         port of the relay and the phone app (default 8787)
  --editor-port N  port of the editor (default 8788)
  --no-open        do not open the editor in a browser
  --help           show this text

Everything listens on 127.0.0.1 only. Ctrl+C ends all of it. What it keeps is in ~/.terminull (or TERMINULL_HOME); your
own VS Code is not touched.`;

/** The lines about coding agents. */
export function agentLines(agents) {
  const found = agents.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  const also = found.length === 0 ? 'no other agent was found on PATH' : `found on PATH: ${found.join(', ')}`;
  return [
    `Demo agent (built in); ${also}.`,
    'In this version only the Demo agent can be run from Terminull.',
  ];
}

/**
 * The lines that say where to look and what to do next.
 *
 * @param {{ editorUrl: string | undefined, relayUrl: string, vsix: string, paint: Record<string, (text: string) => string> }} state
 */
export function nextLines({ editorUrl, relayUrl, vsix, paint }) {
  const places = [
    ...(editorUrl === undefined ? [] : [`  Editor  ${paint.cyan(editorUrl)}`]),
    `  Phone   ${paint.cyan(`${relayUrl}/`)}  ${paint.dim('(in a browser on this machine)')}`,
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
    '  Browsers let a page encrypt only over https. Put a TLS front (such as Caddy) or a tunnel before',
    `  ${relayUrl}, run npm start again with PUBLIC_URL set to its https address, and set`,
    '  terminull.relayUrl in the editor to the same address.',
  ];
}
