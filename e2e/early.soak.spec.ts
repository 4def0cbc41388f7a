import type { Page } from "@playwright/test";
import { type Person, signInTo, signUp } from "./console";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";
import { pixel } from "./pixel";

/** Opens a page and holds its scripts back until the returned function is called. */
async function openEarly(page: Page, url: string): Promise<() => void> {
  let releaseScripts = () => {};
  const held = new Promise<void>((resolve) => (releaseScripts = resolve));
  await page.route("**/_next/static/**/*.js", async (route) => {
    await held;
    // The route stays installed: a request made while it is being removed would never be answered.
    await route.fallback();
  });
  await page.goto(url, { waitUntil: "commit" });
  return releaseScripts;
}

/** Collects the URLs that the browser requests from now on. */
function recordRequests(page: Page): string[] {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  return addresses;
}

const type = (page: Page, label: string, text: string) => page.getByLabel(label).pressSequentially(text);

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

test("passwords entered before hydration are kept and never sent in a URL", async ({ page, hub }) => {
  const requested = recordRequests(page);
  const typed = async (path: string, fields: Record<string, string>, name: string) => {
    const releaseScripts = await openEarly(page, hub.url + path);
    for (const [label, text] of Object.entries(fields)) await type(page, label, text);
    await page.getByLabel(Object.keys(fields).at(-1)!).press("Enter");
    releaseScripts();
    await expect(page.getByRole("button", { name })).toBeEnabled();
    await expect(page).toHaveURL(hub.url + path);
    for (const [label, text] of Object.entries(fields)) await expect(page.getByLabel(label)).toHaveValue(text);
  };
  const person: Person = { email: `early-${Date.now()}@example.org`, password: "correct-horse" };
  await queryHub(
    hub.dataDir,
    `INSERT INTO password_reset (person_id, hash, created_at, expires_at)
     SELECT id, sha256('x'), now(), now() + interval '1 hour' FROM person WHERE email = $1`,
    [hub.demo.email],
  );
  await typed("/reset-password?token=x", { "New password": person.password }, "Set password");
  await typed("/sign-up", { "E-mail": person.email, Password: person.password }, "Create account");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(`${hub.url}/overview`);
  const changed = { "Current password": person.password, "New password": "another-horse" };
  await typed("/settings", changed, "Change password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed.", { exact: false }).first()).toBeVisible();
  expect(requested.filter((url) => /(correct|another)-horse/.test(url))).toEqual([]);
  await page.goto(`${hub.url}/reset-password?token=y`);
  await expect(page.getByText("This link was used already or has expired.")).toBeVisible();
  await expect(page.getByLabel("New password")).toHaveCount(0);
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
