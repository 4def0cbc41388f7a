import type { Hub } from "../../context";
import { InputUnavailable } from "../../providers/input-unavailable";
import { fileUrl } from "../files/serialize-file";
import type { Generation } from "../generations/generation";
import { findLearnedCharacter } from "./find-learned";
import { acceptsCharacter } from "./accepts-character";

/**
 * Returns the generation's input with the character's id replaced by its trigger word and the URLs of its training
 * outputs. Throws InputUnavailable when these do not exist any more.
 */
export async function resolveCharacter(
  hub: Hub,
  { account_id, model, input }: Pick<Generation, "account_id" | "model" | "input">,
): Promise<Generation["input"]> {
  const offered = hub.catalogue.get(model);
  if (input.character === undefined || !offered || !acceptsCharacter(offered)) return input;
  const learned = await findLearnedCharacter(hub, account_id, input.character);
  if (!learned) throw new InputUnavailable("The files of the character do not exist any more.");
  const { name, trigger_word } = learned;
  const outputs = learned.outputs.map(({ id, media_type }) => ({ url: fileUrl(hub, id), media_type }));
  return { ...input, character: { id: input.character, name, trigger_word, outputs } };
}
