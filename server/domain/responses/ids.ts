/** The position of an item in its response. */
interface ItemPlace {
  /** The generation of the response. */
  responseId: string;
  part: "input" | "output";
  index: number;
}

const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const RESPONSE_ID = /^resp_([0-9a-f]{32})$/;
const ITEM_ID = /^[a-z]{2,4}_([0-9a-f]{32})([io])(0|[1-9]\d{0,4})$/;

const PREFIXES: Record<string, string> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "cto",
  tool_search_call: "tsc",
  tool_search_output: "tso",
};

const toUuid = (digits: string) => digits.replace(UUID, "$1-$2-$3-$4-$5");
const toDigits = (id: string) => id.replaceAll("-", "");

/** Returns the public id of the response of a generation. */
export const toResponseId = (generationId: string): string => `resp_${toDigits(generationId)}`;

/** Returns the generation of a response; null for an id of another form. */
export function parseResponseId(id: string): string | null {
  const digits = RESPONSE_ID.exec(id)?.[1];
  return digits === undefined ? null : toUuid(digits);
}

/** Returns the id of an item, which names its response, so that it is found without an index. */
export function toItemId(type: unknown, { responseId, part, index }: ItemPlace): string {
  const prefix = typeof type === "string" && Object.hasOwn(PREFIXES, type) ? PREFIXES[type]! : "item";
  return `${prefix}_${toDigits(responseId)}${part[0]!}${index}`;
}

/** Returns the place of the item with an id; null for an id that is not the hub's. */
export function parseItemId(id: string): ItemPlace | null {
  const found = ITEM_ID.exec(id);
  if (!found) return null;
  const [, digits, part, index] = found;
  return { responseId: toUuid(digits!), part: part === "i" ? "input" : "output", index: Number(index) };
}
