import { signInTo, signUp } from "./console";
import { expect, test } from "./journey";
import { openEarly, recordRequests, type } from "./open-early";
import { pixel } from "./pixel";

test("credentials entered before hydration are kept", async ({ page, hub }) => {
  const requested = recordRequests(page);
  const releaseScripts = await openEarly(page, `${hub.url}/sign-in?next=%2Fsettings`);
  await type(page, "E-mail", hub.demo.email);
  await type(page, "Password", hub.demo.password);
  await page.getByLabel("Password").press("Enter");
  const button = page.getByRole("button", { name: "Sign in" });
  await expect(button).toBeDisabled();
  releaseScripts();
  await expect(button).toBeEnabled();
  await expect(page).toHaveURL(`${hub.url}/sign-in?next=%2Fsettings`);
  await expect(page.getByLabel("Password")).toBeFocused();
  await page.getByLabel("Password").press("Enter");
  await expect(page).toHaveURL(`${hub.url}/settings`);
  expect(requested.filter((url) => url.includes(encodeURIComponent(hub.demo.password)))).toEqual([]);
});

test("a run uses the input entered before hydration", async ({ page, hub }) => {
  await signInTo(page, hub);
  const releaseScripts = await openEarly(page, `${hub.url}/playground`);
  await type(page, "prompt *", "a pier");
  await type(page, "image_input", "sha256:");
  await page.getByLabel("prompt *").press("Control+Enter");
  const run = page.getByRole("button", { name: /^Run($| · )/ });
  await expect(run).toBeDisabled();
  releaseScripts();
  await expect(page.getByLabel("API call in curl")).toContainText('"prompt": "a pier"');
  await expect(page.getByLabel("prompt *")).toHaveValue("a pier");
  await expect(page.getByLabel("image_input")).toHaveValue("sha256:");
  await page.getByLabel("image_input").clear();
  await run.click();
  await page.getByRole("link", { name: "View details" }).click();
  await expect(page.getByRole("region", { name: "Input" })).toContainText("a pier");
});

test("the price follows changes made before hydration", async ({ page, hub }) => {
  await signInTo(page, hub);
  const releaseScripts = await openEarly(page, `${hub.url}/models/sandbox-text`);
  const calculator = page.getByRole("region", { name: "Price calculator" });
  await calculator.getByLabel("prompt *").fill("And at night?");
  await calculator.getByLabel("max_tokens").fill("1");
  await calculator.getByLabel("Responses").fill("1000");
  const priced = page.waitForRequest((request) => {
    const requested = request.postData() ?? "";
    return requested.includes('"content":"And at night?"') && requested.includes('"max_tokens":1');
  });
  releaseScripts();
  await priced;
  await expect(calculator.getByLabel("prompt *")).toHaveValue("And at night?");
  await expect(calculator.getByLabel("max_tokens")).toHaveValue("1");
  await expect(calculator.getByLabel("Responses")).toHaveValue("1000");
});

test("filters chosen before hydration apply", async ({ page, hub }) => {
  await signInTo(page, hub);
  let releaseScripts = await openEarly(page, `${hub.url}/generations`);
  await page.getByLabel("Status").selectOption("Failed");
  await page.getByLabel("Hide chats").check();
  releaseScripts();
  await expect(page).toHaveURL(`${hub.url}/generations?status=failed&chats=no`);
  await expect(page.getByLabel("Status")).toHaveValue("failed");
  await expect(page.getByLabel("Hide chats")).toBeChecked();

  releaseScripts = await openEarly(page, `${hub.url}/balance`);
  await page.getByLabel("Dates").selectOption("Last month");
  releaseScripts();
  await expect(page).toHaveURL(/\/balance\?from=\d{4}-\d\d-01&to=\d{4}-\d\d-\d\d$/);

  releaseScripts = await openEarly(page, `${hub.url}/models`);
  await page.getByRole("searchbox", { name: "Search models" }).pressSequentially("palette");
  releaseScripts();
  await expect(page).toHaveURL(`${hub.url}/models?q=palette`);
  await expect(page.getByRole("link", { name: "Sandbox image" })).toHaveCount(0);

  releaseScripts = await openEarly(page, `${hub.url}/models`);
  await page.getByRole("radio", { name: "Text" }).check();
  releaseScripts();
  await expect(page).toHaveURL(`${hub.url}/models?makes=text`);
  await expect(page.getByRole("radio", { name: "Text" })).toBeChecked();
  await expect(page.getByRole("link", { name: "Sandbox image" })).toHaveCount(0);
});

test("a character's fields entered before hydration are saved", async ({ page, hub }) => {
  await signUp(page, hub.url);
  const releaseScripts = await openEarly(page, `${hub.url}/characters/new`);
  await type(page, "Name", "Ada");
  await type(page, "Trigger word", "ada42");
  await type(page, "steps", "7");
  await page.getByLabel("steps").press("Enter");
  releaseScripts();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose pictures" }).click();
  await (await chooser).setFiles(pixel);
  await expect(page.getByRole("list", { name: "Pictures" }).getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ada" })).toBeVisible();
  const about = page.getByRole("region", { name: "Details" });
  await expect(about).toContainText("ada42");
  await expect(about).toContainText("steps7");
});

test("a file chosen before hydration is uploaded", async ({ page, hub }) => {
  await signUp(page, hub.url);
  const releaseScripts = await openEarly(page, `${hub.url}/files`);
  await page.locator("input[type=file]").setInputFiles(pixel);
  releaseScripts();
  await expect(page.getByRole("row", { name: /image\/png/ })).toHaveCount(1);
});
