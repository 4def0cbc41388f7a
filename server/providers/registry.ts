import type { ProviderKind } from "../catalogue/model";
import type { Provider } from "./provider";
import { sandbox } from "./sandbox/sandbox";

/** Every kind of upstream that this hub can talk to. */
export const providers: Partial<Record<ProviderKind, Provider>> = { sandbox };
