import { createApiCaller, dropPictures } from "./character-steps";
import { signInTo } from "./console";
import { expect, test } from "./journey";
import { type RunningHub, startHub } from "./server";
import { startWorker, TRAINER } from "./worker";

const MODEL = "sandbox-trainer";
const CREDIT = 25;
// Processes start here, possibly on a busy machine.
const expectSoon = expect.configure({ timeout: 30_000 });
const nano = (euros: number) => Math.round(euros * 1e9);

test.describe("with separate workers", () => {
  let hub: RunningHub;
  let token: string;
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  test.beforeAll(async () => {
    hub = await startHub({ env: { SANDBOX_WORKER: "off" } });
    const made = await hub.cli("worker-token", "create", "--name", "gpu-1", "--json");
    ({ token } = JSON.parse(made.stdout) as { token: string });
  });
  test.afterAll(async () => {
    await worker?.stop();
    await hub.stop();
  });

  test("a training survives its worker's death, and the character is used and charged exactly", async ({
    page,
    request,
  }) => {
    const callApi = createApiCaller(request, hub);
    await signInTo(page, hub, "/overview");
    await page.getByRole("link", { name: "Workers", exact: true }).click();
    await expect(page.getByRole("heading", { name: "No workers online" })).toBeVisible();
    worker = await startWorker(hub, token, MODEL, TRAINER);
    await expectSoon(page.getByRole("row", { name: /gpu-1/ })).toContainText("Online");

    await page.getByRole("link", { name: "Characters", exact: true }).click();
    await page.getByRole("link", { name: "Create character" }).click();
    await dropPictures(page, ["red", "green", "blue"]);
    await page.getByLabel("Name", { exact: true }).fill("Ada");
    await page.getByLabel("Trigger word").fill("ada42");
    await expect(page.getByRole("region", { name: "Cost" })).toContainText("€0.06");
    await page.getByRole("button", { name: "Create and start" }).click();
    const state = page.locator("main").getByRole("status");
    await expect(page.getByRole("heading", { level: 1, name: "Ada" })).toBeVisible();
    await expectSoon(page.getByRole("progressbar", { name: "Progress" })).toHaveAttribute("aria-valuenow", "40");
    const id = new URL(page.url()).pathname.split("/").at(-1)!;

    await page.getByRole("link", { name: "Workers", exact: true }).click();
    const row = page.getByRole("row", { name: /gpu-1/ });
    await expectSoon(row).toContainText("Busy");
    await expectSoon(row.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "40");
    await worker.kill9();
    await row.getByRole("link", { name: MODEL }).click();
    await expect(page).toHaveURL(/\/generations\//);
    await expect(page.getByRole("list", { name: "Log" })).toHaveText("step 4 of 10");
    const work = page.getByRole("figure").filter({ hasText: "Preview of the work so far." }).locator("img");
    await expect.poll(() => work.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);

    await page.goto(`${hub.url}/characters/${id}`);
    await expect(state).toHaveText("Training");
    await page.getByRole("button", { name: "Cancel training" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel training" }).click();
    await expect(state).toHaveText("Canceled");
    await expect(page.getByText("Resuming continues from 40%")).toBeVisible();
    await page.getByRole("button", { name: "Resume training" }).click();
    await expect(state).toHaveText("Queued");
    worker = await startWorker(hub, token, MODEL, TRAINER);
    await expectSoon(state).toHaveText("Ready");
    const preview = page.getByRole("img", { name: "Preview of the training result" });
    await expect(preview).toHaveAttribute("src", /\?w=512$/);
    await expect.poll(() => preview.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);

    // The example request on the page uses the character.
    const code = (await page.getByLabel("API call in curl").textContent())!;
    const body = JSON.parse(/-d '(.*)'$/s.exec(code)![1]!) as { input: { character: number } };
    expect(body.input.character).toBe(Number(id));
    const made = await callApi<{ id: string }>("hub/generations", body);
    const read = () => callApi<{ status: string; billed_cost: number }>(`hub/generations/${made.id}`);
    await expectSoon.poll(async () => (await read()).status).toBe("succeeded");

    // The character can also be chosen by name.
    await page.goto(`${hub.url}/playground?model=sandbox-image`);
    const choice = page.getByLabel("character");
    await expect(choice).toHaveValue("");
    await choice.selectOption({ label: `Ada (#${id})` });
    await expect(page.getByLabel("API call in curl")).toContainText(`"character": ${id}`);
    await choice.selectOption("");
    await expect(page.getByLabel("API call in curl")).not.toContainText("character");
    await page.goto(`${hub.url}/playground?model=sandbox-image&character=${id}`);
    await expect(choice).toHaveValue(id);
    await expect(page.getByLabel("prompt *")).toHaveValue("ada42 ");
    await expect(page.getByText("Trigger word ada42")).toBeVisible();
    await page.getByLabel("prompt *").fill("a harbour");
    await page.getByRole("button", { name: "Add ada42 to the prompt" }).click();
    await expect(page.getByLabel("prompt *")).toHaveValue("ada42 a harbour");
    await page.getByRole("button", { name: /^Run($| · )/ }).click();
    await expectSoon(page.getByRole("region", { name: "Result" }).getByRole("status").first()).toHaveText("Succeeded");
    const painted = await callApi<{ data: { billed_cost: number; input: { character?: number } }[] }>(
      "hub/generations?model=sandbox-image",
    );
    expect(painted.data.map(({ input }) => input.character)).toEqual([Number(id), Number(id)]);
    await page.goto(`${hub.url}/characters/${id}`);

    const character = await callApi<{ billed_cost: number; estimated_cost: number }>(`hub/characters/${id}`);
    const trainings = await callApi<{ data: { billed_cost: number }[] }>(`hub/generations?model=${MODEL}`);
    expect(trainings.data).toHaveLength(2);
    expect(trainings.data.every(({ billed_cost }) => billed_cost > 0)).toBe(true);
    expect(trainings.data.reduce((sum, { billed_cost }) => sum + nano(billed_cost), 0)).toBe(
      nano(character.billed_cost),
    );
    const spent = nano(character.billed_cost) + painted.data.reduce((sum, one) => sum + nano(one.billed_cost), 0);
    const { balance, available } = await callApi<{ balance: number; available: number }>("me");
    expect([nano(balance), nano(available)]).toEqual([nano(CREDIT) - spent, nano(CREDIT) - spent]);
    const billed = page.getByRole("region", { name: "Cost" }).locator("[title]").first();
    expect(nano(Number((await billed.getAttribute("title"))!.replace("€", "")))).toBe(nano(character.billed_cost));
    expect((await hub.cli("audit")).code).toBe(0);
  });
});
