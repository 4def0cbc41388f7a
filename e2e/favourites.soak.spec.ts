import { expectUsable, press, signUp } from "./console";
import { grantCredit } from "./grants";
import { expect, test } from "./journey";
import { makePicture } from "./make-picture";

test("a result is made larger, and two are compared word by word", async ({ page, hub }) => {
  const result = await makePicture(page, hub, "comparer", "a harbour at noon");
  // Larger fills the form and runs nothing.
  await result.getByRole("link", { name: "Larger · up to €0.0184" }).click();
  const prompt = page.getByLabel("prompt *");
  await expect(prompt).toHaveValue("a harbour at noon");
  await expect(page.getByRole("radio", { name: "2k" })).toBeChecked();
  await expect(page.getByText("No result yet")).toBeVisible();
  await prompt.fill("a harbour at dusk");
  await press(prompt, "Control+Enter");
  await expect(result.getByRole("status").first()).toHaveText("Succeeded", { timeout: 20_000 });
  await result.getByRole("button", { name: "Compare…" }).click();
  const others = page.getByRole("dialog", { name: "Compare with" }).getByRole("link", { name: /^a harbour at noon/ });
  await others.last().click();
  await expect(page.getByRole("region", { name: "Earlier" }).getByRole("img", { name: "Output 1" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Later" }).getByRole("img", { name: "Output 1" })).toBeVisible();
  const changed = page.getByRole("region", { name: "Prompt, what changed" });
  await expect(changed.getByRole("deletion")).toHaveText("[removed: noon]");
  await expect(changed.getByRole("insertion")).toHaveText("[added: dusk]");
  await expect(page.getByRole("row", { name: "resolution" })).toHaveText(/^resolutionNot set2k$/);
  await expectUsable(page);
});

test("a run that ends in the background counts in the title and is told by the browser, asked for on a click only", async ({
  page,
  hub,
}) => {
  const { email } = await signUp(page, hub.url, undefined, "patient");
  await grantCredit(hub, email, 1);
  await page.addInitScript(() => {
    const told: string[] = [];
    class Recorded {
      static permission = "default";
      static requestPermission = () => Promise.resolve((Recorded.permission = "granted"));
      onclick = null;
      constructor(text: string) {
        told.push(text);
      }
      close() {}
    }
    let isHidden = false;
    Object.assign(window, {
      Notification: Recorded,
      told,
      setHidden: (hidden: boolean) => {
        isHidden = hidden;
        document.dispatchEvent(new Event("visibilitychange"));
      },
    });
    Object.defineProperty(document, "hidden", { get: () => isHidden });
  });
  const setHidden = (hidden: boolean) =>
    page.evaluate(
      (hidden) => (window as unknown as { setHidden: (hidden: boolean) => void }).setHidden(hidden),
      hidden,
    );
  await page.goto(`${hub.url}/playground?model=sandbox-image`);
  await page.getByLabel("prompt *").fill("a quay [slow:3]");
  await press(page.getByLabel("prompt *"), "Control+Enter");
  const notify = page.getByRole("button", { name: "Notify me when it ends" });
  await notify.click();
  await expect(notify).toHaveCount(0);
  await setHidden(true);
  await expect(page).toHaveTitle(/^\(1\) Playground/, { timeout: 20_000 });
  expect(await page.evaluate(() => (window as unknown as { told: string[] }).told)).toEqual([
    "sandbox-image succeeded",
  ]);
  await setHidden(false);
  await expect(page).toHaveTitle(/^Playground/);
});
