import type { Inngest } from "inngest";
import { recordAudit } from "../../server/domain/audit";
import type { Hub } from "../../server/domain/hub";

/** Verifies every balance, hold and status, when an operator asks for it. It reads everything, so it is no request. */
export const audit = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    { id: "audit", triggers: [{ event: "hub/audit" }], concurrency: [{ limit: 1 }], retries: 0 },
    async ({ step }) => step.run("audit", async () => (await recordAudit(hub)).violations.length),
  );
