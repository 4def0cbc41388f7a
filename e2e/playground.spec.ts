import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { expectUsable, press, signInTo, signUp } from "./console";
import { grantCredit } from "./grants";
import { expect, test } from "./journey";
import { pixel } from "./pixel";
import { queryHub } from "./query-hub";

test("a model's form shows its price, runs and shows the picture", async ({ page, hub, consoleErrors }) => {
  await signInTo(page, hub, "/playground");
  const form = page.getByRole("region", { name: "Input" });
  await form.getByRole("button", { name: /^Run($| · )/ }).click();
  await expect(form.getByRole("alert")).toHaveText("Enter a prompt.");
  await expect(page.getByRole("heading", { name: "No result yet" })).toBeVisible();
  consoleErrors.length = 0;
  await form.getByLabel("prompt *").fill("a pier [slow:4]");
  await expect(form.getByRole("alert")).toHaveCount(0);
  await expect(form.getByRole("button", { name: "Run · €0.0092" })).toBeVisible();
  await form.getByRole("radio", { name: "2k" }).click();
  await expect(form.getByRole("status")).toContainText("€0.0184");
  await form.getByRole("radio", { name: "1k" }).click();
  const upload = async (files: (typeof pixel)[]) => {
    const chooser = page.waitForEvent("filechooser");
    await form.getByRole("button", { name: "Upload" }).click();
    await (await chooser).setFiles(files);
  };
  // Rejected files take no room in the list of four.
  const web = { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<!doctype html><p>hello</p>") };
  await upload([web, web, web, web]);
  await expect(form.getByRole("list", { name: "Uploads" }).getByRole("alert")).toHaveCount(4);
  await upload([pixel]);
  await expect(form.getByRole("list", { name: "image_input" })).toContainText("pixel.png");
  await expect(page.getByLabel("API call in curl")).toContainText("/api/v1/hub/files/");

  await form.getByLabel("prompt *").press("Control+Enter");
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("status").first()).toHaveText(/Queued|Running/);
  await expect(result.getByRole("status").first()).toHaveText("Succeeded", { timeout: 20_000 });
  const picture = result.getByRole("img", { name: "Output 1" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await expect(result).toContainText("Charged €0.0092");

  // The details page opens the form with the same input.
  await result.getByRole("link", { name: "View details" }).click();
  await page.getByRole("link", { name: "Open in playground" }).click();
  await expect(form.getByLabel("prompt *")).toHaveValue("a pier [slow:4]");
  await expect(form.getByRole("list", { name: "image_input" }).getByRole("listitem")).toHaveCount(1);
  // The browser logs the rejected uploads.
  expect(consoleErrors.every((message) => /400/.test(message))).toBe(true);
  consoleErrors.length = 0;
});

test("a failed run shows the error and costs nothing", async ({ page, hub }) => {
  await signInTo(page, hub, "/playground");
  // Labels belong to the run, and stay when the form gets another input.
  await page.locator("summary", { hasText: "Labels" }).click();
  await page.getByLabel("Metadata").fill("team=blue");
  await page.getByRole("button", { name: "Try an example" }).click();
  await expect(page.getByLabel("prompt *")).not.toHaveValue("");
  await expect(page.getByLabel("Metadata")).toHaveValue("team=blue");
  await page.getByLabel("prompt *").fill("a pier [fail]");
  await page.getByRole("button", { name: /^Run($| · )/ }).click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("status").first()).toHaveText("Failed");
  await expect(result.getByRole("region", { name: "Error" })).toBeVisible();
  await expect(result).toContainText("Charged €0.00");
});

test("the first paint of a chat has no skeleton", async ({ page, hub }) => {
  await signInTo(page, hub);
  const html = await (await page.request.get(`${hub.url}/playground?model=sandbox-text`)).text();
  expect(html).toContain("Start a conversation");
  // React's marker of a pending Suspense boundary.
  expect(html).not.toContain("<!--$?-->");
});

test("a chat takes a picture and shows the cost of each reply", async ({ page, hub }) => {
  await signInTo(page, hub, "/playground");
  await page.getByRole("radio", { name: "Chat" }).click();
  await expect(page).toHaveURL(/\?model=sandbox-text$/);
  await page.getByLabel("Message").fill("What does a lighthouse see?");
  await press(page.getByLabel("Message"), "Enter");
  const messages = page.getByRole("list", { name: "Conversation" }).getByRole("listitem");
  await expect(messages).toHaveCount(2);
  await expect(messages.last()).toContainText(/€0\.0\d+ · \d+ tokens in · \d+ out/);
  await page.getByLabel("Message").fill("And at night?");
  await page.locator("summary", { hasText: "Images" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload" }).click();
  await (await chooser).setFiles(pixel);
  await expect(page.getByRole("list", { name: "images" })).toContainText("pixel.png");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(messages.nth(3)).toContainText("I see a png picture of 1 × 1 pixels");
  await expect(page.getByText("This chat cost")).toBeVisible();
  await page.getByRole("button", { name: "New chat" }).click();
  await expect(messages).toHaveCount(0);
});

test("a waiting run can be canceled, and an earlier chat continued", async ({ page, hub, consoleErrors }) => {
  await signInTo(page, hub, "/playground");
  const hashOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const hashes = ["first", "second"].map((name) => hashOf(`${name} ${Date.now()}`));
  await page.getByLabel("prompt *").fill("a pier");
  const fileField = page.getByPlaceholder("https://… or sha256:…");
  await fileField.fill(hashes[0]!);
  // Blur adds the URL, which moves the button.
  await page.getByRole("button", { name: /^Run($| · )/ }).click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("status").first()).toHaveText("Awaiting files");
  await expect(result).toContainText("Reserved €0.0092");
  await result.getByRole("button", { name: "Cancel generation" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel generation" }).click();
  await expect(result.getByRole("status").first()).toHaveText("Canceled");
  await expect(result).toContainText("Charged €0.00");
  // The shortcut also runs what was only typed.
  await page.getByRole("button", { name: `Remove ${hashes[0]}` }).click();
  await fileField.fill(hashes[1]!);
  await fileField.press("Control+Enter");
  await expect(result.getByRole("status").first()).toHaveText("Awaiting files");

  await page.goto(`${hub.url}/playground?model=sandbox-text`);
  await page.getByRole("textbox", { name: "system" }).fill("Be brief.");
  await page.getByLabel("Message").fill("What does a pier hear?");
  const limit = page.getByRole("spinbutton", { name: "max_tokens" });
  await limit.pressSequentially("1e");
  const issue = page.getByRole("region", { name: "Settings" }).getByRole("alert");
  await expect(issue).toHaveText("This field must be an integer or null.");
  await press(page.getByLabel("Message"), "Enter");
  await expect(issue).toHaveText("This field must be a number.");
  await expect(page.getByLabel("Message")).toHaveValue("What does a pier hear?");
  await limit.fill("");
  await press(page.getByLabel("Message"), "Enter");
  await page.getByRole("link", { name: "Details", exact: true }).click();
  await expect(page.getByRole("region", { name: "Reply" })).toContainText(/\d+ tokens in; \d+ out/);
  await page.getByRole("link", { name: "Open in playground" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue("What does a pier hear?");
  await expect(page.getByRole("textbox", { name: "system" })).toHaveValue("Be brief.");
  expect(consoleErrors.every((message) => /400/.test(message))).toBe(true);
  consoleErrors.length = 0;
});

test("a run without credit shows an error with a link to the balance", async ({ page, hub, consoleErrors }) => {
  await signUp(page, hub.url);
  const alert = page.getByRole("alert").filter({ hasText: "View balance" });
  for (const model of ["sandbox-image", "sandbox-text"]) {
    await page.goto(`${hub.url}/playground?model=${model}`);
    await expect(page.getByRole("status").filter({ hasText: "Not enough credit" })).toBeVisible();
    await page.getByLabel(/^(Prompt \*|Message)$/).fill("a pier");
    await page.getByRole("button", { name: /^(Run($| · )|Send)/ }).click();
    await expect(alert).toContainText(/This run costs €0\.\d+, but you have €0\.00 available\./);
  }
  await alert.getByRole("link").click();
  await expect(page).toHaveURL(`${hub.url}/balance`);
  // The browser logs each rejected request.
  expect(consoleErrors.every((message) => /402/.test(message))).toBe(true);
  consoleErrors.length = 0;
});

test("entries that cannot be read run nothing, and variations that are pressed twice run once", async ({
  page,
  hub,
  consoleErrors,
}, testInfo) => {
  const file = testInfo.outputPath("models.yaml");
  await writeFile(file, seededModel);
  // Fails while another journey adds models.
  await expect(() => hub.runCommand("catalogue", "add", file, "--replace")).toPass();
  const { email } = await signUp(page, hub.url, undefined, "roller");
  await grantCredit(hub, email, 1);
  const form = page.getByRole("region", { name: "Input" });
  const seed = form.getByLabel("seed");
  await expect(async () => {
    await page.goto(`${hub.url}/playground?model=dice`);
    await expect(seed).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const prompt = form.getByLabel("prompt *");
  await prompt.fill("five dice");
  await seed.pressSequentially("-");
  await form.getByLabel("options").fill('{"sides": 6');
  await press(prompt, "Control+Enter");
  await expect(form.getByRole("alert")).toHaveText(["Seed must be an integer.", "Enter valid JSON."]);
  await expect(seed).toBeFocused();
  await expect(page.getByRole("heading", { name: "No result yet" })).toBeVisible();

  await seed.fill("");
  await form.getByLabel("options").fill('{"sides": 6}');
  await expect(form.getByRole("alert")).toHaveCount(0);
  await press(prompt, "Control+Enter");
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("status").first()).toHaveText("Succeeded", { timeout: 20_000 });
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/models.price*", async (route) => {
    await isReleased;
    await route.continue();
  });
  await result.getByRole("button", { name: /^4 variations/ }).dblclick();
  release();
  await expect(result.getByRole("link", { name: "View batch" })).toBeVisible({ timeout: 20_000 });
  const text = "SELECT count(*)::int AS n FROM batch JOIN account a ON a.id = account_id WHERE a.email = $1";
  expect(await queryHub(hub.dataDir, text, [email])).toEqual([{ n: 1 }]);
  expect(consoleErrors.every((message) => /400/.test(message))).toBe(true);
  consoleErrors.length = 0;
});

/** Has a number, a seed, and a value that is entered as JSON. */
const seededModel = `
models:
  - id: dice
    name: Dice
    output_modalities: [image]
    pricing: { per: image, tiers: [{ match: {}, price_usd: 0.01 }] }
    parameters_schema:
      type: object
      required: [prompt]
      properties: { prompt: { type: string }, seed: { type: integer, minimum: 0 }, options: { type: object } }
    routes: [{ provider: sandbox, upstream_model: sandbox-image }]
`;

test("the playground is accessible with every kind of form, and fits a phone", async ({ page, hub }) => {
  for (const model of ["sandbox-trainer", "sandbox-text"]) {
    await signInTo(page, hub, `/playground?model=${model}`);
    await expectUsable(page);
  }
});
