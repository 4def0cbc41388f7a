import type { HubParts } from "../../context";
import type { ChatHub } from "../chat";
import type { InputsHub } from "../inputs";

/** What OpenAI's paths need of the hub. */
export type OpenAiHub = Pick<HubParts, "bodyBudget" | "db" | "env" | "json" | "log" | "now" | "providers" | "tracing"> &
  ChatHub &
  InputsHub;
