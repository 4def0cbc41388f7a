import { z } from "zod";
import { InputUnavailable } from "../input-unavailable";
import type { ProviderIo } from "../provider";
import type { Input } from "./input";

const TrainingDescription = z.object({
  palette: z.array(z.object({ hex: z.string().regex(/^#[0-9a-f]{6}$/) })).min(1),
});

/** Returns the palette of a trained character, most frequent colour first. Throws InputUnavailable when it has none. */
export async function readColours(
  { outputs }: NonNullable<Input["character"]>,
  { read }: Pick<ProviderIo, "read">,
): Promise<string[]> {
  const output = outputs.find(({ media_type }) => media_type === "application/json");
  const content = output ? await read(output.url) : "";
  try {
    return TrainingDescription.parse(JSON.parse(content.toString())).palette.map(({ hex }) => hex);
  } catch {
    throw new InputUnavailable("The character has learned no colours.");
  }
}
