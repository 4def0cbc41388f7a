import type { Route } from "../../../catalogue/model";
import { getProvider } from "./ask-provider";
import { canCallBack } from "./callback-url";
import type { RunHub } from "./hub";

/** Returns whether a job whose submit has returned no id can be found: by asking the provider, or by its callback. */
export const canFindJob = (hub: RunHub, route: Route): boolean =>
  getProvider(hub, route).recover !== undefined || canCallBack(hub, route);
