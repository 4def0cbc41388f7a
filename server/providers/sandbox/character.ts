import { z } from "zod";
import { InputUnavailable } from "../input-unavailable";
import type { ProviderIo } from "../provider";
import type { Input } from "./input";

const Description = z.object({ palette: z.array(z.object({ hex: z.string().regex(/^#[0-9a-f]{6}$/) })).min(1) });

/** The colours that a character has learned, the most frequent first; throws InputUnavailable for one that has none. */
export async function readColours(
  { outputs }: NonNullable<Input["character"]>,
  { read }: Pick<ProviderIo, "read">,
): Promise<string[]> {
  const output = outputs.find(({ media_type }) => media_type === "application/json");
  const described = Description.safeParse(output && parse(await read(output.url)));
  if (!described.success) throw new InputUnavailable("The character has learned no colours.");
  return described.data.palette.map(({ hex }) => hex);
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}
