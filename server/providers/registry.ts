import type { ProviderKind } from "../catalogue/model";
import { anthropic } from "./anthropic/anthropic";
import { bfl } from "./bfl/bfl";
import { cog } from "./cog/cog";
import { comfyui } from "./comfyui/comfyui";
import { fal } from "./fal/fal";
import { gemini } from "./gemini/gemini";
import { openai } from "./openai/openai";
import type { Provider } from "./provider";
import { replicate } from "./replicate/replicate";
import { sandbox } from "./sandbox/sandbox";

/** The implementation of every provider kind that a catalogue may use. Workers pull their jobs and have none. */
export const providers: Partial<Record<ProviderKind, Provider>> = {
  anthropic,
  bfl,
  cog,
  comfyui,
  fal,
  gemini,
  openai,
  replicate,
  sandbox,
};
