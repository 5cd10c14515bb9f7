/** The YAML of the specification's test cases: maps and lists by indentation, plain and quoted texts. */

export type Yaml = string | Yaml[] | { [name: string]: Yaml };

interface Line {
  readonly indent: number;
  readonly text: string;
}

const plain = (text: string): string => text.replace(/^'(.*)'$/, '$1').replace(/^"(.*)"$/, '$1');

/** @throws Error if a line is none of these */
export function parseYaml(text: string): Yaml {
  const lines: Line[] = text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trimEnd())
    .filter((line) => line !== '')
    .map((line) => ({ indent: line.search(/\S/), text: line.trim() }));
  let at = 0;

  function parseValue(indent: number): Yaml {
    const { text: first } = lines[at] as Line;
    if (first.startsWith('- ') || first === '-') return parseList(indent);
    if (/^[^\s'"]+:( |$)/.test(first)) return parseMap(indent);
    at += 1;
    return plain(first);
  }

  function parseList(indent: number): Yaml[] {
    const list: Yaml[] = [];
    for (let line = lines[at]; line?.indent === indent; line = lines[at]) {
      if (!line.text.startsWith('- ')) break;
      // The rest of the line is the first of the item.
      lines[at] = { indent: indent + 2, text: line.text.slice(2).trim() };
      list.push(parseValue(indent + 2));
    }
    return list;
  }

  function parseMap(indent: number): Yaml {
    const map: { [name: string]: Yaml } = {};
    for (let line = lines[at]; line?.indent === indent; line = lines[at]) {
      const found = /^([^\s'"]+):\s*(.*)$/.exec(line.text);
      if (found === null) throw new Error(`line ${at}: expected a member, got ${line.text}`);
      const [, name, value] = found as unknown as [string, string, string];
      at += 1;
      const next = lines[at];
      const isBelow = next !== undefined && (next.indent > indent || next.text.startsWith('- '));
      if (value !== '') map[name] = value === '[]' ? [] : plain(value);
      else map[name] = isBelow && next.indent >= indent ? parseValue(next.indent) : '';
    }
    return map;
  }

  const value = parseValue(0);
  if (at !== lines.length) throw new Error(`line ${at}: not read: ${lines[at]?.text}`);
  return value;
}
