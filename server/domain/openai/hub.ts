import type { HubParts } from "../../context";
import type { ChatHub } from "../chat";
import type { InputsHub } from "../inputs";

/** The parts of the hub that OpenAI's paths use. */
export type OpenAiHub = Pick<HubParts, "bodyBudget" | "db" | "env" | "json" | "log" | "now" | "providers" | "tracing"> &
  ChatHub &
  InputsHub;
