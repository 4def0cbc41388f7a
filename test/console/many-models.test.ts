import { expect, test } from "vitest";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { newCustomer } from "../api/customer";
import { catalogueOf } from "../catalogue";
import { testHub } from "../hub";
import { measureLongestTurnAgain } from "../longest-turn";
import { ownerSession } from "../session";

const MODELS = 200;
const MAX_TURN_MS = 50;

const parameters = Array.from({ length: 12 }, (_, n) => `p${n}: { type: integer, minimum: 1, maximum: 9, default: 2 }`);
const describeModel = (id: string) => `
  - id: ${id}
    output_modalities: [image]
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string }, ${parameters.join(", ")} } }
    pricing_tiers: [{ match: { p1: 3 }, price_usd: 0.2 }, { match: {}, price_usd: 0.1 }]
    routes: [{ provider: first, upstream_model: sandbox-image }]`;

test(`the first list of ${MODELS} models yields to other requests`, async () => {
  const hub = await testHub();
  const { account } = await newCustomer(hub);
  const caller = createCallerFactory(root)({ hub, session: await ownerSession(hub, account), address: null });
  // Applies a catalogue whose schemas no list has read before.
  const apply = () => {
    hub.catalogue = catalogueOf(Array.from({ length: MODELS }, (_, n) => describeModel(`model-${n}`)).join(""));
    return Promise.resolve();
  };
  const list = async () => expect((await caller.models.list()).at(-1)).toMatchObject({ typical_cost: 0.092 });
  expect(await measureLongestTurnAgain(MAX_TURN_MS, list, apply)).toBeLessThan(MAX_TURN_MS);
});
