import { afterAll, describe } from "vitest";
import { buildProvider } from "../job";
import { testCog } from "./cases";
import { openRealCog, usesRealCog } from "./real-server";

const server = usesRealCog() ? await openRealCog() : { missing: "set HUB_TEST_COG=1 to install it" };

if ("missing" in server) process.stderr.write(`The real cog server is not tested: ${server.missing}\n`);

describe.skipIf("missing" in server)("the real cog server", () => {
  const provider = "url" in server ? buildProvider("cog", server.url) : null;
  afterAll(() => ("url" in server ? server.close() : undefined));

  testCog(() => provider!);
});
