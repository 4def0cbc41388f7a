import type { ProviderKind } from "../catalogue/model";
import { openai } from "./openai/openai";
import type { Provider } from "./provider";
import { sandbox } from "./sandbox/sandbox";

/** Every kind of upstream that this hub can talk to. */
export const providers: Partial<Record<ProviderKind, Provider>> = { sandbox, openai };
