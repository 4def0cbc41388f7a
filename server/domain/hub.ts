import type { HubParts } from "../context";
import { createDurability, type Durability } from "../db/durability";
import { type Admission, createAdmission, createTurnMeter } from "../lib/admission";
import { createConcurrencyLimit, measureWaits } from "../lib/concurrency-limit";
import { type AlertServices, createAlertServices } from "./alerts";
import { type ChatServices, createChatServices } from "./chat";
import { createCredentialServices, type CredentialServices } from "./credentials";
import { createDeliveryServices, type DeliveryServices } from "./deliveries";
import { createEnvelopeServices, type EnvelopeServices } from "./envelopes";
import { createFileServices, type FileServices } from "./files";
import { type ChangeServices, createChangeServices } from "./generations/changes";
import { createEndServices, type EndServices } from "./generations/end";
import { createIntakeServices, type IntakeServices } from "./generations/intake";
import { createQueueServices, type QueueServices } from "./generations/queue";
import { createReadServices, type ReadServices } from "./generations/read";
import { createReplayServices, type ReplayServices } from "./generations/replay";
import { createRunServices, type RunServices } from "./generations/run";
import { createModelTimeServices, type ModelTimeServices } from "./model-times";
import { createPasswordServices, type PasswordServices } from "./passwords";
import { createRateServices, type RateServices } from "./rates";
import { createRejectionServices, type RejectionServices } from "./rejections";
import { createResponseServices, type ResponseServices } from "./responses";
import { createRoutingServices, type RoutingServices } from "./routing";
import { createSessionServices, type SessionServices } from "./sessions";
import { createShareServices, type ShareServices } from "./shares";
import { createStreamServices, type StreamServices } from "./streams";
import { createWebhookSecretServices, type WebhookSecretServices } from "./webhook-secrets";
import { createWorkerServices, type WorkerServices } from "./workers";

/**
 * What the requests of one process share; each module contributes its services. Most services are used by a single function,
 * which other modules call instead: `finishGeneration(hub, ending)`, not `hub.services.finishGeneration`.
 */
export interface Services
  extends
    AlertServices,
    ChangeServices,
    ChatServices,
    CredentialServices,
    DeliveryServices,
    Durability,
    EndServices,
    EnvelopeServices,
    FileServices,
    IntakeServices,
    ModelTimeServices,
    PasswordServices,
    QueueServices,
    RateServices,
    ReadServices,
    RejectionServices,
    ReplayServices,
    ResponseServices,
    RoutingServices,
    RunServices,
    SessionServices,
    ShareServices,
    WebhookSecretServices,
    StreamServices,
    WorkerServices {
  /** Decide whether a busy process admits requests with a key: those that only read, and those that write. */
  admission: Record<"read" | "write", Admission>;
}

/** A whole hub, which transports and tests have; functions of the domain name only the parts that they need. */
export interface Hub extends HubParts {
  readonly services: Services;
}

/** Adds services to the parts of a hub, and returns the same object. */
export function createHub<Parts extends HubParts>(parts: Parts): Parts & Hub {
  // Services keep a reference to the hub that they belong to, so the object exists before them.
  const hub = parts as Parts & Hub;
  return Object.assign(hub, { services: createServices(hub) });
}

function createServices(hub: Hub): Services {
  // Ledger writes run on `db.ledgerConnection`. The cost of a statement hardly depends on its number of rows, so few large
  // batches are cheaper, and concurrent ones would only wait for each other's account locks. The limit is two, so that
  // Postgres has the next statement as soon as one ends.
  const ledgerWriteLimiter = measureWaits(createConcurrencyLimit(2), (seconds) =>
    hub.metrics.moneyWait.observe({}, seconds),
  );
  const contributed = {
    ...createAlertServices(hub),
    ...createChangeServices(hub),
    ...createChatServices(),
    ...createCredentialServices(hub),
    ...createDeliveryServices(hub),
    ...createDurability(hub.db),
    ...createEndServices(hub, ledgerWriteLimiter),
    ...createEnvelopeServices(hub),
    ...createFileServices(),
    ...createIntakeServices(hub, ledgerWriteLimiter),
    ...createModelTimeServices(hub),
    ...createPasswordServices(),
    ...createQueueServices(),
    ...createRateServices(hub),
    ...createReadServices(hub),
    ...createRejectionServices(hub),
    ...createReplayServices(hub),
    ...createResponseServices(hub),
    ...createRoutingServices(hub),
    ...createRunServices(hub),
    ...createSessionServices(hub),
    ...createShareServices(hub),
    ...createWebhookSecretServices(hub),
    ...createStreamServices(hub),
    ...createWorkerServices(hub),
  };
  const maxDelayMs = hub.env.MAX_WAIT_MS;
  const measureTurn = createTurnMeter();
  const { findKey, insertGeneration, finishGeneration, settleChat } = contributed;
  // A request waits in one queue after the other, so the delays add up.
  const measureReadDelay = () => measureTurn() + findKey.waitMs();
  const measureWriteDelay = () =>
    measureReadDelay() + insertGeneration.waitMs() + Math.max(finishGeneration.waitMs(), settleChat.waitMs());
  return {
    ...contributed,
    admission: {
      read: createAdmission({ measureDelayMs: measureReadDelay, maxDelayMs }),
      write: createAdmission({ measureDelayMs: measureWriteDelay, maxDelayMs }),
    },
  };
}
