import { access, account, sessions } from "./account";
import { balance } from "./balance";
import { connections } from "./connections";
import { characters } from "./characters";
import { files } from "./files";
import { generations } from "./generations";
import { keys } from "./keys";
import { models } from "./models";
import { overview } from "./overview";
import { playground } from "./playground";
import { router } from "./procedure";
import { requests } from "./requests";
import { webhooks } from "./webhooks";
import { workers } from "./workers";

/** The API of the console, with a router for each of its pages. */
export const root = router({
  access,
  account,
  balance,
  characters,
  connections,
  files,
  generations,
  keys,
  models,
  overview,
  playground,
  requests,
  sessions,
  webhooks,
  workers,
});

export type Root = typeof root;
