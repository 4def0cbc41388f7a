import type { Inngest } from "inngest";
import { auditDaily, recordAudit } from "../../server/domain/audit";
import type { Hub } from "../../server/domain/hub";

/**
 * Verifies every balance, hold and status, when an operator asks for it, and once a day. As a job, because it reads too
 * much for a request.
 */
export const audit = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    {
      id: "audit",
      triggers: [{ event: "hub/audit" }, { cron: "17 * * * *" }],
      concurrency: [{ limit: 1 }],
      retries: 0,
    },
    async ({ event: { name }, step }) =>
      step.run("audit", async () => (await (name === "hub/audit" ? recordAudit : auditDaily)(hub))?.violations.length),
  );
