import { type Document, isMap, isSeq, type Pair, parseDocument, type Scalar, type YAMLMap } from "yaml";
import { formatDecimal, type Nano, parseDecimal } from "../../lib/money";
import { formatYaml } from "../format-yaml";
import type { TokenPriceList, TokenPrices } from "../pricing";
import type { Path } from "../subschemas";
import { tokenClasses, tokenClassNames } from "../token-classes";
import { detachShared } from "./detach-shared";
import { toEntry } from "./find-list-issue";

/** A price list of a catalogue, and what it becomes. */
export interface ListEdit {
  /** Where it is in the catalogue. */
  path: Path;
  then: TokenPriceList;
}

/**
 * Returns the text of a catalogue with other prices. Only prices are replaced and lines with new ones are added; comments,
 * order and layout stay. A catalogue that shares prices by anchors, or whose lists get further lengths, is formatted anew.
 */
export function editPrices(text: string, edits: ListEdit[]): string {
  const prepared = prepare(text, edits);
  const document = parseDocument(prepared);
  const splices = edits.flatMap(({ path, then }) => spliceList(prepared, document.getIn(path) as YAMLMap, then));
  return applySplices(prepared, splices);
}

/** Returns a text with replaced places. Several at one place keep their order. */
function applySplices(text: string, splices: Splice[]): string {
  let edited = "";
  let from = 0;
  for (const { start, end, text: inserted } of splices.sort((one, other) => one.start - other.start)) {
    edited += text.slice(from, start) + inserted;
    from = end;
  }
  return edited + text.slice(from);
}

/** Returns the text without shared prices, and with an entry for each length that a list of lengths gets. */
function prepare(text: string, edits: ListEdit[]): string {
  const document = parseDocument(text);
  let isChanged = detachShared(document, edits.map(({ path }) => path)); // prettier-ignore
  for (const { path, then } of edits) if (addLengths(document, path, then)) isChanged = true;
  return isChanged ? formatYaml(document) : text;
}

/** Adds the missing lengths to a list of lengths, in their order. Returns whether any was missing. */
function addLengths(document: Document, path: Path, { longContext }: TokenPriceList): boolean {
  const lengths = document.getIn([...path, "long_context"]);
  if (!isSeq(lengths)) return false;
  const known = new Set(lengths.items.map((item) => (item as YAMLMap).get("above")));
  for (const [index, entry] of longContext.entries())
    if (!known.has(entry.above)) lengths.items.splice(index, 0, document.createNode(toLength(entry), { flow: true }));
  return known.size < longContext.length;
}

type Length = TokenPriceList["longContext"][number];

const toLength = ({ above, perMillion }: Length) => ({
  above,
  ...toEntry(perMillion, (price) => Number(formatDecimal(price))),
});

/** Returns prices of a length in braces. */
function formatLength({ above, perMillion }: Length): string {
  const prices = Object.entries(toEntry(perMillion, formatDecimal)).map(([name, price]) => `${name}: ${price}`);
  return `{ ${[`above: ${above}`, ...prices].join(", ")} }`;
}

interface Splice {
  start: number;
  end: number;
  text: string;
}

function spliceList(text: string, list: YAMLMap, { perMillion, longContext, serviceTiers }: TokenPriceList): Splice[] {
  const splices = spliceClasses(text, list, perMillion);
  const lengths = list.get("long_context");
  if (isSeq(lengths))
    for (const [index, entry] of longContext.entries())
      splices.push(...spliceClasses(text, lengths.items[index] as YAMLMap, entry.perMillion));
  else if (longContext.length > 0) {
    const setting = `long_context: [${longContext.map(formatLength).join(", ")}]`;
    splices.push(insertAfter(text, list, "output_cost_per_million", setting));
  }
  const tiers = list.get("service_tiers");
  if (isMap(tiers))
    for (const [tier, factor] of Object.entries(serviceTiers)) splices.push(...replaceValue(tiers, tier, factor));
  return splices;
}

const spliceClasses = (text: string, map: YAMLMap, prices: TokenPrices): Splice[] =>
  tokenClassNames.flatMap((name) => {
    const price = prices[name];
    if (price === undefined) return [];
    const setting = `${name}_cost_per_million`;
    const plain = `${tokenClasses[name].within}_cost_per_million`;
    return map.has(setting)
      ? replaceValue(map, setting, price)
      : [insertAfter(text, map, plain, `${setting}: ${formatDecimal(price)}`)];
  });

/** Returns the splice that replaces a number; none if it is the same. */
function replaceValue(map: YAMLMap, setting: string, price: Nano): Splice[] {
  const { value, range } = map.get(setting, true) as Scalar<number | string>;
  const [start, end] = range!;
  return parseDecimal(value) === price ? [] : [{ start, end, text: formatDecimal(price) }];
}

/** Returns the splice that inserts a setting after another one, in its line if the mapping is in braces. */
function insertAfter(text: string, map: YAMLMap, sibling: string, setting: string): Splice {
  const { key, value } = map.items.find((item) => (item.key as Scalar).value === sibling) as Pair<Scalar, Scalar>;
  const [, valueEnd] = value!.range!;
  if (map.flow) return { start: valueEnd, end: valueEnd, text: `, ${setting}` };
  const keyAt = key.range![0];
  const indent = " ".repeat(keyAt - text.lastIndexOf("\n", keyAt) - 1);
  const newline = text.indexOf("\n", valueEnd);
  const end = newline < 0 ? text.length : newline;
  // The line keeps its own end, which may have two characters.
  const start = text[end - 1] === "\r" ? end - 1 : end;
  return { start, end: start, text: `${text.slice(start, end)}\n${indent}${setting}` };
}
