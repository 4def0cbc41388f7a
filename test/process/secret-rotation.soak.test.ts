import { rm } from "node:fs/promises";
import { afterAll, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { runCli, startHub } from "../../e2e/server";

// Starts whole processes.
vi.setConfig({ testTimeout: 300_000 });

const dataDir = await makeDataDir();
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const OLD = "the first secret of thirty-two characters";
const NEW = "the second secret of thirty-two characters";

const cookiesOf = (response: Response) => response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]!);

async function signIn(url: string, { email, password }: { email: string; password: string }): Promise<string> {
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const response = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(csrf).join("; ") },
    body: new URLSearchParams({ email, password, csrfToken, json: "true" }),
  });
  expect(response.status).toBe(200);
  return cookiesOf(response).find((cookie) => cookie.startsWith(".AspNetCore.Cookies="))!;
}

test("replacing HUB_SECRET signs nobody out, and renewed cookies are of the new one", async () => {
  const start = async (env: Record<string, string>) => {
    const hub = await startHub({ dataDir, env });
    /** Returns whether a cookie opens the console and next-auth's session, and the cookie with which next-auth renews it. */
    const visit = async (cookie: string) => {
      const page = await fetch(`${hub.url}/overview`, { headers: { cookie }, redirect: "manual" });
      const session = await fetch(`${hub.url}/api/auth/session`, { headers: { cookie } });
      const renewed = cookiesOf(session).find((value) => value.startsWith(".AspNetCore.Cookies=ey"));
      return { page: page.status, isOpen: (await session.text()).includes("@"), renewed };
    };
    return { hub, visit };
  };
  const before = await start({ HUB_SECRET: OLD });
  const cookie = await signIn(before.hub.url, before.hub.demo);
  expect(await before.visit(cookie)).toMatchObject({ page: 200, isOpen: true });
  await before.hub.stop();

  const during = await start({ HUB_SECRET: NEW, HUB_SECRET_PREVIOUS: OLD });
  const { page, isOpen, renewed } = await during.visit(cookie);
  expect({ page, isOpen, isRenewed: Boolean(renewed) }).toEqual({ page: 200, isOpen: true, isRenewed: true });
  const settings = { HUB_DATA_DIR: dataDir, HUB_SECRET: NEW, HUB_SECRET_PREVIOUS: OLD };
  expect(await runCli(["secret", "re-encrypt"], settings)).toMatchObject({ code: 0 });
  await during.hub.stop();

  const after = await start({ HUB_SECRET: NEW });
  expect(await after.visit(renewed!)).toMatchObject({ page: 200, isOpen: true });
  expect(await after.visit(cookie)).toMatchObject({ page: 307, isOpen: false });
  await after.hub.stop();
});
