import type { JsonSchema } from "../../catalogue/model";

type Input = Record<string, unknown>;

/** The parameters that set how large a result is, as catalogues name them. */
const SIZES = ["resolution", "size", "image_size"];

/** Returns an input that makes the next larger result, of the same shape; null if the model has none. */
export function findLargerInput({ properties }: Pick<JsonSchema, "properties">, input: Input): Input | null {
  for (const name of SIZES.filter((one) => Object.hasOwn(properties, one))) {
    const { default: byDefault, enum: values } = properties[name]!;
    const current = readSize(input[name] ?? byDefault);
    if (!current || !Array.isArray(values)) continue;
    const larger = values
      .map((value: unknown) => ({ value, size: readSize(value) }))
      .filter(({ size }) => size?.shape === current.shape && size.length > current.length)
      .sort((one, other) => one.size!.length - other.size!.length)[0];
    if (larger) return { ...input, [name]: larger.value };
  }
  return null;
}

/**
 * Reads `2k`, `1080p`, `4 MP` and `1024x1536`; only sizes of the same shape can be compared by length. Null for any other
 * value.
 */
function readSize(value: unknown): { shape: string; length: number } | null {
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  const [, across, down] = /^(\d{1,5})\s*[x×]\s*(\d{1,5})$/.exec(text) ?? [];
  if (Number(across) > 0 && Number(down) > 0)
    return { shape: (Number(across) / Number(down)).toFixed(2), length: Number(across) };
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(k|p|mp)$/.exec(text) ?? [];
  return unit === undefined ? null : { shape: unit, length: Number(number) };
}
