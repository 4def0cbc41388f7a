import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { makeProjectFolder } from "../test/project-folder";
import { signInTo } from "./console";
import { expect, test } from "./journey";

const run = promisify(execFile);

const code = (page: Page, title: string, language: string) =>
  page.getByLabel(`${title} in ${language}`, { exact: true }).innerText();

test("the programs of the quick start run unchanged", async ({ page, hub }) => {
  const folder = await makeProjectFolder();
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, HUB_API_KEY: hub.key } as unknown as NodeJS.ProcessEnv;
  const sh = async (lines: string, more: object = {}) =>
    (await run("sh", ["-c", lines], { cwd: folder, env: { ...env, ...more } })).stdout;
  try {
    await page.goto(`${hub.url}/docs/quick-start`);
    const { id } = JSON.parse(await sh(await code(page, "Generate", "curl"))) as { id: string };
    const [ask, save] = (await code(page, "Download", "curl")).split("\n\n") as [string, string];
    const read = async () => JSON.parse(await sh(ask, { ID: id })) as { status: string; outputs: { url: string }[] };
    await expect.poll(async () => (await read()).status).toBe("succeeded");
    const { outputs } = await read();
    await sh(save, { OUTPUT: outputs[0]!.url });
    await page.getByRole("radio", { name: "TypeScript" }).first().click();
    const program = `${await code(page, "Generate", "TypeScript")}\n${await code(page, "Download", "TypeScript")}`;
    await writeFile(path.join(folder, "picture.mts"), program);
    await writeFile(path.join(folder, "chat.mts"), await code(page, "Chat", "TypeScript"));
    await mkdir(path.join(folder, "saved"));
    const [picture, chat] = await Promise.all(
      ["picture.mts", "chat.mts"].map((file) =>
        run(process.execPath, ["--import", "tsx", path.join(folder, file)], { cwd: path.join(folder, "saved"), env }),
      ),
    );
    expect(picture!.stdout).toContain("succeeded");
    expect(chat!.stdout).toContain("cost");
    const [byShell, byProgram] = await Promise.all(
      ["output-1.png", "saved/output-1.png"].map((file) => readFile(path.join(folder, file))),
    );
    expect(byShell!.subarray(1, 4).toString()).toBe("PNG");
    expect(byProgram!.equals(byShell!)).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the quick start shows the reader's key, and the landing page links to the playground", async ({ page, hub }) => {
  await page.goto(`${hub.url}/docs/quick-start`);
  const line = page.getByLabel("Command that sets the key");
  await expect(line).toHaveText("export HUB_API_KEY=service_sk_…");
  await expect(page.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/sign-in");
  await signInTo(page, hub, "/docs/quick-start");
  await expect(line).toHaveText(/^export HUB_API_KEY=service_sk_.+…$/);
  await page.goto(hub.url);
  await page.getByRole("link", { name: "Open the playground" }).click();
  await expect(page).toHaveURL(`${hub.url}/playground`);
});

test("the webhook guide shows this hub's events and retry schedule", async ({ page, hub }) => {
  await page.goto(`${hub.url}/docs/webhooks`);
  for (const name of ["generation.running", "generation.completed", "webhook.test"])
    await expect(page.getByRole("rowheader", { name })).toBeVisible();
  await expect(page.getByRole("row", { name: "8 2 seconds 14 seconds" })).toBeVisible();
  await page.getByText("Example of generation.completed").click();
  await expect(page.getByLabel("Example of generation.completed")).toContainText("X-Service-Signature: sha256=");
});
