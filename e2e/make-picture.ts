import { expect, type Locator, type Page } from "@playwright/test";
import { press, signUp } from "./console";
import { grantCredit } from "./grants";

/** Makes a picture in the playground, with the credit of a new account. Returns the region of its result. */
export async function makePicture(
  page: Page,
  hub: { url: string; dataDir: string },
  name: string,
  prompt: string,
): Promise<Locator> {
  const { email } = await signUp(page, hub.url, undefined, name);
  await grantCredit(hub, email, 1);
  await page.goto(`${hub.url}/playground?model=sandbox-image`);
  const field = page.getByLabel("prompt *");
  await field.fill(prompt);
  await press(field, "Control+Enter");
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByRole("status").first()).toHaveText("Succeeded", { timeout: 20_000 });
  return result;
}
