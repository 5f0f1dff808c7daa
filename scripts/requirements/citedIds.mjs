const bracket = /\[([^[\]]+)\]/g;
const list = /^[A-Z]{1,2}\d+[a-z]?(?:[,\s]+[A-Z]{1,2}\d+[a-z]?)*$/;

/** What is written like a citation and is none, such as "F I69": it counts as an unknown id, so that it is seen. */
const almost = /^(?=.*\d)[A-Z][A-Z\d,\s]*$/;

/** The ids that a test's full title cites, once each: "[T1]" or "[T1, C8]", its own and those of the groups around it. */
export function citedIds(title) {
  const groups = [...title.matchAll(bracket)].map(match => match[1].trim());
  const idsOf = text => (list.test(text) ? text.split(/[,\s]+/) : almost.test(text) ? [text] : []);
  return [...new Set(groups.flatMap(idsOf))];
}
