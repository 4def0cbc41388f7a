import type { HubParts } from "../context";
import { createDurability, type Durability } from "../db/durability";
import { type Admission, createAdmission } from "../lib/admission";
import { createConcurrencyLimit, measureWaits } from "../lib/concurrency-limit";
import { createTurnMeter } from "../lib/turn-meter";
import { type ChatServices, createChatServices } from "./chat";
import { createCredentialServices, type CredentialServices } from "./credentials";
import { createDeliveryServices, type DeliveryServices } from "./deliveries";
import { createEndpointServices, type EndpointServices } from "./endpoints";
import { createEnvelopeServices, type EnvelopeServices } from "./envelopes";
import { createFileServices, type FileServices } from "./files";
import { createEndServices, type EndServices } from "./generations/end";
import { createIntakeServices, type IntakeServices } from "./generations/intake";
import { createQueueServices, type QueueServices } from "./generations/queue";
import { createReadServices, type ReadServices } from "./generations/read";
import { createRunServices, type RunServices } from "./generations/run";
import { createPasswordServices, type PasswordServices } from "./passwords";
import { createRateServices, type RateServices } from "./rates";
import { createRejectionServices, type RejectionServices } from "./rejections";
import { createRoutingServices, type RoutingServices } from "./routing";
import { createSessionServices, type SessionServices } from "./sessions";
import { createWorkerServices, type WorkerServices } from "./workers";

/**
 * What the requests of one process share, as each module contributes it. Most members are used by one verb alone, which
 * documents them: call `finishGeneration(hub, ending)`, not the service.
 */
export interface Services
  extends
    ChatServices,
    CredentialServices,
    DeliveryServices,
    Durability,
    EndpointServices,
    EndServices,
    EnvelopeServices,
    FileServices,
    IntakeServices,
    PasswordServices,
    QueueServices,
    RateServices,
    ReadServices,
    RejectionServices,
    RoutingServices,
    RunServices,
    SessionServices,
    WorkerServices {
  /** Whether requests with a key are admitted while the process is busy: those that only read, and those that write. */
  admission: Record<"read" | "write", Admission>;
}

/** A whole hub. Transports and tests have one; a function of the domain names the part of it that it needs. */
export interface Hub extends HubParts {
  readonly services: Services;
}

/** Completes a hub with services of its own. */
export function createHub<Parts extends HubParts>(parts: Parts): Parts & Hub {
  // The services call verbs with the hub that they belong to, so it is there before them.
  const hub = parts as Parts & Hub;
  return Object.assign(hub, { services: createServices(hub) });
}

function createServices(hub: Hub): Services {
  // Ledger writes run on `db.ledgerConnection`. A statement's cost hardly depends on its number of rows, so fewer and
  // larger batches are cheaper, and concurrent ones would only wait for each other's account locks. The limit is two, so
  // that Postgres has the next statement as soon as one ends.
  const ledgerWriteLimiter = measureWaits(createConcurrencyLimit(2), (seconds) =>
    hub.metrics.moneyWait.observe({}, seconds),
  );
  const contributed = {
    ...createChatServices(),
    ...createCredentialServices(hub),
    ...createDeliveryServices(hub),
    ...createDurability(hub.db),
    ...createEndpointServices(hub),
    ...createEndServices(hub, ledgerWriteLimiter),
    ...createEnvelopeServices(hub),
    ...createFileServices(),
    ...createIntakeServices(hub, ledgerWriteLimiter),
    ...createPasswordServices(),
    ...createQueueServices(),
    ...createRateServices(hub),
    ...createReadServices(hub),
    ...createRejectionServices(hub),
    ...createRoutingServices(hub),
    ...createRunServices(hub),
    ...createSessionServices(hub),
    ...createWorkerServices(hub),
  };
  const maxDelayMs = hub.env.MAX_WAIT_MS;
  const measureTurn = createTurnMeter();
  const { findKey, insertGeneration, finishGeneration, settleChat } = contributed;
  // A request passes one queue after the other.
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
