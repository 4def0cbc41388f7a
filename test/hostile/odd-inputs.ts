import { z } from "zod";

interface Schema {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  minItems?: number;
  properties?: Record<string, Schema>;
}

/** The values of one odd input: every text, day and number of it has these. */
export interface OddValues {
  text: string;
  day: string;
  number: number;
}

const MISSING_ID = "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10";

/**
 * Values that a schema may accept, and a statement or a library may not. Texts that no database can store come with
 * ordinary numbers.
 */
export const oddValues: OddValues[] = [
  { text: "\u0000", day: "2026-11-24", number: 1 },
  { text: "\ud800", day: "2026-11-24", number: 1 },
  { text: "\uff11\uff12\uff13\uff14\uff15\uff16", day: "2026-02-29", number: 2_147_483_648 },
  { text: "models: [", day: "0000-01-01", number: Number.MAX_SAFE_INTEGER },
  { text: "x".repeat(60), day: "9999-12-31", number: -1 },
  { text: MISSING_ID, day: "0001-01-01", number: 2_147_483_647 },
  { text: "\ud83d\ude00k\u212a\u202e", day: "9999-12-31", number: 0 },
  { text: "9".repeat(50), day: "0000-01-01", number: 999_999 },
  { text: "%00'\"\\_", day: "1970-01-01", number: 1.5 },
  { text: "a@b.example", day: "\u0000", number: 2 ** 63 },
];

/** Returns an input of the schema's shape in which every text, day and number is odd; optional members are present. */
export const buildOddInput = (schema: z.ZodType, values: OddValues): unknown =>
  build(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema, values);

function build(schema: Schema, values: OddValues): unknown {
  const choice = schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (choice) return build(choice[0]!, values);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => build(one, values) as object)) as unknown;
  return builders[[schema.type].flat()[0] ?? ""]?.(schema, values) ?? values.text;
}

const builders: Record<string, (schema: Schema, values: OddValues) => unknown> = {
  string: ({ format }, values) => buildText(format, values),
  integer: (_schema, { number }) => number,
  number: (_schema, { number }) => number,
  boolean: () => false,
  array: ({ items = {}, minItems = 1 }, values) => Array.from({ length: minItems }, () => build(items, values)),
  object: ({ properties = { prompt: {} } }, values) =>
    Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, build(member, values)])),
};

function buildText(format: string | undefined, { text, day }: OddValues): string {
  if (format === "date") return day;
  // In UTC, the offset moves some of the days out of the years that have four digits.
  if (format === "date-time") return `${day}T23:59:59-01:00`;
  return format === "uuid" ? MISSING_ID : text;
}
