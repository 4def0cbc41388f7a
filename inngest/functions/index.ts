import type { Inngest } from "inngest";
import type { Hub } from "../../server/domain/hub";
import { alertAccounts } from "./alert-accounts";
import { alertOperators } from "./alert-operators";
import { audit } from "./audit";
import { deliverWebhook } from "./deliver-webhook";
import { eraseDueContent } from "./erase-due-content";
import { fetchInputs } from "./fetch-inputs";
import { processPayments } from "./process-payments";
import { runGeneration } from "./run-generation";
import { sweep } from "./sweep";

/** Returns all functions of the hub. Either engine runs them: the embedded one, or an Inngest server. */
export const createFunctions = (inngest: Inngest, hub: Hub) => [
  runGeneration(inngest, hub),
  fetchInputs(inngest, hub),
  deliverWebhook(inngest, hub),
  processPayments(inngest, hub),
  alertAccounts(inngest, hub),
  alertOperators(inngest, hub),
  sweep(inngest, hub),
  eraseDueContent(inngest, hub),
  audit(inngest, hub),
];
