import { access } from "./access";
import { account } from "./account";
import { generations } from "./generations";
import { keys } from "./keys";
import { router } from "./procedure";

/** Everything that the console can ask for: a router for each of its pages. */
export const root = router({ access, account, generations, keys });

export type Root = typeof root;
