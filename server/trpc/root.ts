import { access } from "./access";
import { account } from "./account";
import { balance } from "./balance";
import { files } from "./files";
import { generations } from "./generations";
import { keys } from "./keys";
import { models } from "./models";
import { overview } from "./overview";
import { playground } from "./playground";
import { router } from "./procedure";
import { webhooks } from "./webhooks";

/** Everything that the console can ask for: a router for each of its pages. */
export const root = router({
  access,
  account,
  balance,
  files,
  generations,
  keys,
  models,
  overview,
  playground,
  webhooks,
});

export type Root = typeof root;
