import type { ProviderKind } from "../catalogue/model";
import { openai } from "./openai/openai";
import type { Provider } from "./provider";
import { sandbox } from "./sandbox/sandbox";

/** Every kind of upstream that this hub can talk to. A catalogue takes no other kind. */
export const providers: Record<Exclude<ProviderKind, "worker">, Provider> = { sandbox, openai };
