import type { ProviderKind } from "../catalogue/model";
import { cog } from "./cog/cog";
import { comfyui } from "./comfyui/comfyui";
import { openai } from "./openai/openai";
import type { Provider } from "./provider";
import { sandbox } from "./sandbox/sandbox";

/** The implementation of every provider kind that a catalogue may use. Workers pull their jobs and have none. */
export const providers: Partial<Record<ProviderKind, Provider>> = {
  cog,
  comfyui,
  openai,
  sandbox,
};
