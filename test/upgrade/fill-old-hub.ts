import { createHash } from "node:crypto";
import { until } from "../../inngest/contract/bench";
import { newBrowser } from "../auth-browser";
import { type Fixture, PLACEHOLDER_RECEIVER, suppliedPicture } from "./fixture";
import type { OldHub } from "./old-hub";

type Filled = Omit<Fixture, "capturedAt" | "migrations" | "signedLink">;

const person = { email: "old@example.org", password: "correct horse" };

/** Creates in the old hub, for one account, everything that has to outlive an upgrade. */
export async function fillOldHub(hub: OldHub): Promise<Filled> {
  await hub.cli("account", "create", "--email", person.email, "--password", person.password, "--credit", "25");
  const { key } = await hub.cli<{ key: string }>("key", "create", "--email", person.email, "--name", "old");
  const customer = createCustomer(hub, key);

  const succeeded = await customer.generate("a lighthouse", {}, { "idempotency-key": "first" });
  const output = (await customer.waitFor(succeeded, "succeeded")).outputs[0]!.url;
  const failed = await customer.generate("[fail]");
  await customer.waitFor(failed, "failed");
  const ready = await customer.train("Ada", "ada", output);
  await customer.waitForTraining(ready, "ready");
  const browser = newBrowser(hub.url);
  await browser.post("/api/auth/callback/credentials", person);
  const cookie = browser.jar.get(".AspNetCore.Cookies")!;

  const broken = await customer.generate("broken");
  const stranded = await customer.generate("stranded");
  await breakRuns(hub, stranded, () => customer.waitFor(broken, "failed"));
  const events = ["generation.running", "generation.completed"];
  const endpoint = { url: `https://${PLACEHOLDER_RECEIVER}/hook`, events };
  const { secret: webhookSecret } = await hub.call<{ secret: string }>(key, "/hub/webhooks", endpoint);
  const hash = createHash("sha256").update(suppliedPicture).digest("hex");
  const supplied = await customer.generate("supplied", { image_input: [`sha256:${hash}`] });
  const training = await customer.train("Bea", "[slow:3] bea", output);
  await customer.waitForTraining(training, "running");
  const running = await customer.generate("[slow:20] running");
  await customer.waitFor(running, "running");
  const queued = await customer.generate("queued");
  const retriedSql = "SELECT FROM delivery WHERE state = 'pending' AND attempts > 0";
  const waitingSql = "SELECT FROM engine.job WHERE state = 'later' AND kind = 'timer'";
  await until(async () => (await hub.query(retriedSql)).length >= 2 && (await hub.query(waitingSql)).length >= 3);

  const generations = { succeeded, failed, broken, stranded, supplied, running, queued };
  return { key, person, cookie, output, generations, characters: { ready, training }, webhookSecret };
}

interface Generation {
  id: string;
  status: string;
  outputs: { url: string }[];
}

/** Returns what the account does by its API key. */
function createCustomer(hub: OldHub, key: string) {
  const reach = async <T extends { status: string }>(place: string, status: string) => {
    let current = await hub.call<T>(key, place);
    await until(async () => (current = await hub.call<T>(key, place)).status === status);
    return current;
  };
  return {
    async generate(prompt: string, input: object = {}, headers?: Record<string, string>) {
      const body = { model: "sandbox-image", input: { prompt, format: "webp", ...input } };
      return (await hub.call<Generation>(key, "/hub/generations", body, headers)).id;
    },
    waitFor: (id: string, status: string) => reach<Generation>(`/hub/generations/${id}`, status),
    async train(name: string, trigger_word: string, image: string) {
      const body = { name, trigger_word, base_model: "sandbox-trainer", images: [image], parameters: { steps: 2 } };
      const { id } = await hub.call<{ id: number }>(key, "/hub/characters", body);
      await hub.call(key, `/hub/characters/${id}/start`, {});
      return id;
    },
    waitForTraining: (id: number, status: string) => reach(`/hub/characters/${id}`, status),
  };
}

/**
 * Fails the runs of two generations for an internal error, because no attempt can be inserted. One generation fails with
 * its run. The other is stranded: the job that should end it fails as well, and is still being retried.
 */
async function breakRuns(hub: OldHub, stranded: string, hasFailed: () => Promise<unknown>): Promise<void> {
  await hub.query("ALTER TABLE attempt ADD CONSTRAINT broken CHECK (false) NOT VALID");
  const rule = `CHECK (id <> '${stranded}' OR status <> 'failed') NOT VALID`;
  await hub.query(`ALTER TABLE generation ADD CONSTRAINT stranded ${rule}`);
  await hasFailed();
  await until(async () => (await hub.query(failingEndSql)).length > 0);
  await hub.query("ALTER TABLE attempt DROP CONSTRAINT broken");
}

const failingEndSql = `
  SELECT FROM engine.job j JOIN engine.run r ON r.id = j.run_id
  WHERE j.attempt > 0 AND (r.function_id LIKE '%-failure'
    OR EXISTS (SELECT FROM engine.memo m WHERE m.run_id = r.id AND m.failed))`;
