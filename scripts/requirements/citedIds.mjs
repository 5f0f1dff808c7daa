const bracket = /\[([^[\]]+)\]/g;
const list = /^[A-Z]{1,2}\d+[a-z]?(?:[,\s]+[A-Z]{1,2}\d+[a-z]?)*$/;

/** The ids that a test's full title cites, once each: "[T1]" or "[T1, C8]", its own and those of the groups around it. */
export function citedIds(title) {
  const groups = [...title.matchAll(bracket)].map(match => match[1].trim()).filter(text => list.test(text));
  return [...new Set(groups.flatMap(text => text.split(/[,\s]+/)))];
}
