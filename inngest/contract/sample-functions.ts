import type { Inngest } from "inngest";

/** Returns functions that use most features: sequential and parallel steps, sleep, waiting for and sending an event. */
export function sampleFunctions(inngest: Inngest) {
  const walker = inngest.createFunction(
    { id: "walk", triggers: [{ event: "walk/asked" }], concurrency: [{ key: "event.data.account", limit: 3 }] },
    async ({ event, step }) => {
      const { n } = event.data as { n: number };
      const first = await step.run("first", () => n);
      const both = await Promise.all([step.run("left", () => first + 1), step.run("right", () => first + 2)]);
      await step.sleep("nap", "1s");
      await step.sendEvent("tell", { name: "walk/told", data: { n } });
      const heard = await step.waitForEvent("hear", { event: "walk/heard", match: "data.n", timeout: "1s" });
      return { n, both, heard: heard !== null };
    },
  );
  const hearer = inngest.createFunction({ id: "hear", triggers: [{ event: "walk/told" }] }, async ({ event, step }) => {
    const { n } = event.data as { n: number };
    await step.sendEvent("answer", { name: "walk/heard", data: { n } });
  });
  return [walker, hearer];
}
