import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { findProgram, runDocumented, runnable } from "../clients/documented-programs";

const host = await openRunningHost();
const { key } = await newCustomer(host.hub);
const page = await readFile("docs/generations.md", "utf8");
const text = page.slice(page.indexOf("## Start many at once"), page.indexOf("## Priority"));

test.each(runnable)("the program in %s runs a batch", async (language) => {
  const output = await runDocumented(language, findProgram(text, language), { HUB_URL: host.url, HUB_API_KEY: key });
  if (language === "sh") expect(JSON.parse(output)).toMatchObject({ status: "running", counts: { failed: 0 } });
  else expect(output).toMatch(/^3 succeeded, 0 failed, 0\.0276 EUR\n(?:a lighthouse at \w+ https?:.*\n){3}$/);
});
