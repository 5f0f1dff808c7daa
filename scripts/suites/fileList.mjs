/** A bundler puts content hashes into names (app-4KX7QZ2B.js); the list keeps their place only. */
export function stableName(name) {
  return name.replace(/-[A-Z2-7]{8}(?=\.)/g, '-HASH');
}

/** What a list lacks and what it has too much. */
export function compareLists(wanted, found) {
  return {
    missing: wanted.filter(name => !found.includes(name)),
    unexpected: found.filter(name => !wanted.includes(name)),
  };
}
