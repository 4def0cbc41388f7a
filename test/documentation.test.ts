import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const pages = ["README.md", ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []))];

test.each(pages)("%s defines every variable that its commands use", (page) => {
  const text = readFileSync(page, "utf8");
  const commands = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block]) => block!).join("");
  const used = new Set([...commands.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name!));
  // A variable is defined by an assignment, or by a sentence that describes it.
  const isDefined = (name: string) =>
    new RegExp(`^(export )?${name}=`, "m").test(commands) || text.includes(`\`$${name}\``);
  expect([...used].filter((name) => !isDefined(name))).toEqual([]);
});
