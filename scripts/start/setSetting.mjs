const escaped = text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const entryOf = name => new RegExp(`(^\\s*|[{,]\\s*)"${escaped(name)}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`, 'm');

/** Reads one string out of the text of a settings.json; undefined where it is not set. */
export function readSetting(text, name) {
  const match = entryOf(name).exec(text);
  return match === null ? undefined : JSON.parse(match[2]);
}

/**
 * Sets one string in the text of a settings.json and leaves all else as it is, comments too.
 *
 * @param {string} text the file, or '' when there is none
 */
export function setSetting(text, name, value) {
  const entry = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const present = entryOf(name);
  if (present.test(text)) return text.replace(present, (_all, before) => `${before}${entry}`);
  const opening = /^\s*\{/m.exec(text);
  if (opening === null) return `{\n  ${entry}\n}\n`;
  const brace = opening.index + opening[0].length - 1;
  const rest = text.slice(brace + 1);
  const isEmpty = /^\s*\}/.test(rest);
  return `${text.slice(0, brace + 1)}\n  ${entry}${isEmpty ? '\n' : ','}${isEmpty ? rest.trimStart() : rest}`;
}
