/** Variables of the editor that would change what an agent's own tools do. */
const editorVariable = /^(VSCODE_|ELECTRON_)/;

/** The environment of an agent: the user's, without the editor's own. */
export function agentEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !editorVariable.test(name)) result[name] = value;
  }
  return result;
}
