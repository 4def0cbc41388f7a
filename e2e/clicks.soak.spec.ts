import type { Locator, Page } from "@playwright/test";
import { connectApi } from "../scripts/tour/api";
import { expectHydrated, requestKey, signUp } from "./console";
import { grantCredit } from "./grants";
import { expect, test } from "./journey";
import { waitUntilEnded } from "./seed-account";

interface Task {
  title: string;
  /** The path where it begins, or "its page" for that of the first picture. */
  from: string;
  /** The maximum number of clicks; typing does not count. */
  clicks: number;
  /** Does the task with only `click`, and checks that it is done. */
  run: (page: Page, click: (target: Locator) => Promise<void>) => Promise<void>;
}

const FIRST = "the first picture of this account";
const FAILED = "[fail] a boat nobody can draw";
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const link = (page: Page, name: string | RegExp) => page.getByRole("link", { name });

/** The first one needs an account without generations, and makes what the others use. The table in docs/design.md shows them. */
const tasks: Task[] = [
  {
    title: "make the first picture",
    from: "/overview",
    clicks: 2,
    run: async (page, click) => {
      await click(link(page, "Open playground"));
      await page.getByLabel("prompt *").fill(FIRST);
      await click(button(page, /^Run($| · )/));
      await expect(page.getByRole("region", { name: "Result" })).toContainText("Succeeded");
    },
  },
  {
    title: "read why a generation failed",
    from: "/overview",
    clicks: 1,
    run: async (page, click) => {
      await click(link(page, FAILED));
      await expect(page.getByRole("region", { name: "Error" })).toContainText("You were not charged.");
    },
  },
  {
    title: "run a generation again with another seed",
    from: "/overview",
    clicks: 2,
    run: async (page, click) => {
      await click(link(page, FIRST).first());
      const first = page.url();
      await click(button(page, /^Another (seed|one)/));
      await expect(page).not.toHaveURL(first);
    },
  },
  {
    title: "share an output",
    from: "its page",
    clicks: 2,
    run: async (page, click) => {
      await click(button(page, "Share output 1"));
      await click(button(page, "Create link"));
      await expect(page.getByLabel("New link")).toHaveText(/\/s\//);
    },
  },
  {
    title: "see the spend of each customer",
    from: "/overview",
    clicks: 1,
    run: async (page, click) => {
      await click(link(page, "end user"));
      await expect(page.getByRole("row", { name: /customer-7/ })).toBeVisible();
    },
  },
  {
    title: "see how a webhook fails",
    from: "/overview",
    clicks: 1,
    run: async (page, click) => {
      await click(link(page, "View deliveries"));
      await expect(page.getByText(/^Failing: HTTP 410/)).toBeVisible();
    },
  },
  {
    title: "resend what a webhook missed",
    from: "/overview",
    clicks: 2,
    run: async (page, click) => {
      await click(link(page, "View deliveries"));
      await click(button(page, "Resend all failed"));
      await expect(page.getByText(/^\d+ deliver(y|ies) queued again\.$/)).toBeVisible();
    },
  },
  {
    title: "find the generation behind a charge",
    from: "/overview",
    clicks: 2,
    run: async (page, click) => {
      await click(link(page, "Balance"));
      await click(page.getByRole("table", { name: "Transactions" }).getByRole("link", { name: FIRST }).first());
      await expect(page.getByRole("region", { name: "Cost" })).toContainText("Billed");
    },
  },
  {
    title: "stop a chat that replies",
    from: "/playground?model=sandbox-text",
    clicks: 1,
    run: async (page, click) => {
      await page.getByLabel("Message").fill("[slow:20] What does a gull hear?");
      await button(page, /^Send · up to €/).click();
      await expect(page.getByRole("region", { name: "Chat history" })).toContainText("say:");
      await click(button(page, "Stop"));
      await expect(page.getByText("Stopped.")).toBeVisible();
    },
  },
  {
    title: "revoke a key",
    from: "/overview",
    clicks: 3,
    run: async (page, click) => {
      await click(link(page, "API keys"));
      await click(button(page, "Revoke leaked"));
      await click(page.getByRole("alertdialog").getByRole("button", { name: "Revoke key" }));
      await expect(page.getByText("Key revoked.", { exact: true })).toBeVisible();
    },
  },
];

test("ten tasks take as few clicks as the documentation says", async ({ page, hub }) => {
  const { email } = await signUp(page, hub.url);
  await grantCredit(hub, email, 5);
  let pageOfPicture = "";
  for (const { title, from, clicks, run } of tasks)
    await test.step(title, async () => {
      await page.goto(hub.url + (from.startsWith("/") ? from : pageOfPicture));
      await expectHydrated(page);
      let count = 0;
      await run(page, async (target) => {
        count += 1;
        await target.click();
      });
      expect(count).toBe(clicks);
      if (pageOfPicture === "") pageOfPicture = await seedTasks(page, hub);
    });
});

/** Creates what the tasks after the first one need. Returns the path of the first picture. */
async function seedTasks(page: Page, hub: { url: string; receiver: string }): Promise<string> {
  const api = connectApi(hub.url, (await requestKey(page, hub.url, "leaked")).key);
  const { data } = await api.get<{ data: { id: string }[] }>("/hub/generations");
  const { body: webhook } = await api.post<{ id: string }>("/hub/webhooks", {
    url: `${hub.receiver}/away`,
    events: ["generation.completed"],
  });
  const generate = async (prompt: string) =>
    (await api.post<{ id: string }>("/hub/generations", { model: "sandbox-image", input: { prompt }, end_user: "customer-7" })).body.id; // prettier-ignore
  for (const id of [await generate("a pier"), await generate(FAILED)])
    await waitUntilEnded(api, `/hub/generations/${id}`);
  const failing = async () =>
    (await api.get<{ data: { status: string }[] }>(`/hub/webhooks/${webhook.id}/deliveries`)).data.map(({ status }) => status); // prettier-ignore
  await expect.poll(failing).toEqual(["failed", "failed"]);
  return `/generations/${data[0]!.id}`;
}
