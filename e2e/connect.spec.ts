import { expectUsable, fillSignIn, signInTo } from "./console";
import { expect, test } from "./journey";
import { openOAuthApp } from "./oauth-client";

test("an app connects by OAuth, generates up to its limit, and is disconnected", async ({ page, hub }) => {
  const app = await openOAuthApp(hub.url, "Test agent");
  await expect(app.connect()).rejects.toThrow("Unauthorized");
  const address = app.getAuthorizationUrl();
  expect(address).toContain(`${hub.url}/oauth/authorize?`);

  // The page redirects to sign-in and back, and cannot be framed.
  await page.goto(address);
  await expect(page).toHaveURL(/\/sign-in\?next=%2Foauth%2Fauthorize/);
  await fillSignIn(page, hub.demo);
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connect Test agent?");
  await expect(page.getByText("A program on this computer (127.0.0.1)")).toBeVisible();
  await expect(page.getByText(/Not verified/)).toBeVisible();
  await expect(page.getByText(hub.demo.email)).toBeVisible();
  await expectUsable(page);
  const headers = (await page.request.get(address)).headers();
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers["x-frame-options"] ?? "DENY").toBe("DENY");

  const denied = app.nextRedirect();
  await page.getByRole("link", { name: "Cancel" }).click();
  expect(Object.fromEntries(await denied)).toEqual({ error: "access_denied", state: "a state", iss: hub.url });

  // The page asks again, and requires a spend limit.
  await page.goto(address);
  const limit = page.getByLabel("Spend limit (EUR)");
  await expect(limit).toHaveValue("5");
  await limit.fill("");
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(limit).toBeFocused();
  await expect(page.getByText("Enter a spend limit.")).toBeVisible();
  const allowed = app.nextRedirect();
  await page.keyboard.type("0.01");
  await page.keyboard.press("Enter");
  const answer = await allowed;
  expect(answer.get("state")).toBe("a state");
  await app.finish(answer);

  const client = await app.connect();
  const generate = () =>
    client.callTool({ name: "generate", arguments: { model: "sandbox-image", input: { prompt: "a boat" } } });
  expect((await generate()).structuredContent).toMatchObject({ status: "succeeded", billed_cost: 0.0092 });
  const second = await generate();
  expect(second.isError).toBe(true);
  expect(JSON.stringify(second.content)).toContain("it never resets");

  await page.goto(`${hub.url}/settings`);
  await page.getByRole("link", { name: "View connected apps" }).click();
  const row = page.getByRole("row", { name: /Test agent/ });
  await expect(row).toContainText("€0.0092 of €0.01");
  await expectUsable(page);
  await row.getByRole("button", { name: "Disconnect Test agent" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("No connected apps")).toBeVisible();
  await expect(generate()).rejects.toThrow(/Unauthorized|401/);
  app.close();
});

test("a request that is not an app's own shows why, and leads nowhere", async ({ page, hub }) => {
  await signInTo(page, hub);
  const app = await openOAuthApp(hub.url, "Test agent");
  await expect(app.connect()).rejects.toThrow("Unauthorized");
  app.close();
  const open = async (changes: Record<string, string>) => {
    const url = new URL(app.getAuthorizationUrl());
    for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
    await page.goto(url.href);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This app can’t be connected");
    expect(new URL(page.url()).origin).toBe(hub.url);
  };
  for (const redirect_uri of [
    "https://evil.example/",
    "javascript:alert(1)",
    "http://127.0.0.1.evil.example/callback",
  ]) {
    await open({ redirect_uri });
    await expect(page.getByRole("main").getByRole("link", { name: "Return to the app" })).toHaveCount(0);
  }
  await open({ code_challenge_method: "plain" });
  await expectUsable(page);
  await expect(page.getByRole("link", { name: "Return to the app" })).toHaveAttribute(
    "href",
    /^http:\/\/127\.0\.0\.1:\d+\/callback\?error=invalid_request&/,
  );
});
