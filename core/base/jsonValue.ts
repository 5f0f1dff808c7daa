/** The value of a JSON text, for a schema to check; undefined when it is no JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
