import { access, account, sessions, views } from "./account";
import { admin } from "./admin/root";
import { alerts } from "./alerts";
import { balance } from "./balance";
import { batches } from "./batches";
import { budgets } from "./budgets";
import { connections } from "./connections";
import { characters } from "./characters";
import { collections } from "./collections";
import { dataExports } from "./exports";
import { factors } from "./factors";
import { files } from "./files";
import { generations } from "./generations";
import { keys } from "./keys";
import { members } from "./members";
import { models } from "./models";
import { overview } from "./overview";
import { payments } from "./payments";
import { playground } from "./playground";
import { presets } from "./presets";
import { router } from "./procedure";
import { requests } from "./requests";
import { shares } from "./shares";
import { usage } from "./usage";
import { webhooks } from "./webhooks";
import { workers } from "./workers";

/** The API of the console, with a router for each of its pages. */
export const root = router({
  access,
  account,
  admin,
  alerts,
  balance,
  batches,
  budgets,
  characters,
  collections,
  connections,
  exports: dataExports,
  factors,
  files,
  generations,
  keys,
  members,
  models,
  overview,
  payments,
  playground,
  presets,
  requests,
  sessions,
  shares,
  usage,
  views,
  webhooks,
  workers,
});

export type Root = typeof root;
