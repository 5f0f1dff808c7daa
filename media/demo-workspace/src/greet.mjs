/** Greets somebody by name; without a name it greets the world. */
export function greet(name) {
  const who = name?.trim() || 'world';
  return `Hello, ${who}!`;
}
