import { readFileSync } from "node:fs";
import { openProviderHub, type ProviderHub } from "./generation-run";

/**
 * Opens a hub with the catalogue of a page of the documentation, whose provider is at a double and has the tests' key.
 * Customers may name files of the double.
 */
export async function openDocumentedHub(page: string, baseUrl: string): Promise<ProviderHub> {
  const [, yaml] = /```yaml\n([^`]*)```/.exec(readFileSync(page, "utf8"))!;
  const { host } = new URL(baseUrl);
  const providerHub = await openProviderHub(yaml!.replace(/\$\{\w+\}/, "test-key-0123456789"), {
    OUTBOUND_ALLOW_HOSTS: host,
  });
  for (const { routes } of providerHub.hub.catalogue.values())
    for (const { provider } of routes) Object.assign(provider, { baseUrl });
  return providerHub;
}
