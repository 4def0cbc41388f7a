import { parseCatalogue } from "../../server/catalogue/parse";
import type { Hub } from "../../server/domain/hub";
import { createRoutingServices } from "../../server/domain/routing";
import { catalogueWith } from "../catalogue";

/** A route of a test's model: settings of its provider, and of the route itself, in YAML. */
export interface LimitedRoute {
  settings?: string;
  route?: string;
}

/** What a test sees of providers with limits. */
export interface LimitedRoutes {
  /** Offers only this model, on providers that no test has used before. Returns the ids of the providers. */
  offer: (...routes: LimitedRoute[]) => string[];
  attemptsOf: (provider: string) => Promise<StoredCall[]>;
  /** Returns the attempts of the newest generation. */
  newest: () => Promise<(StoredCall & { n: number; skipped: string[] })[]>;
  /** Returns what a provider has cost today, in nano-euros. */
  spentOf: (provider: string) => Promise<bigint | undefined>;
}

interface StoredCall {
  route: string;
  outcome: string | null;
  reason: string;
  cost: bigint | null;
  budget_cost: bigint | null;
}

/** Returns limited routes of a model at a server of kind `openai`; `settings` are the model's in YAML. */
export function createLimitedRoutes(hub: Hub, url: string, settings: string): LimitedRoutes {
  let suites = 0;
  return {
    offer(...routes) {
      suites += 1;
      const ids = routes.map((_, index) => `limited${suites}-${index}`);
      const optional = (more = "") => more && `, ${more}`;
      const providers = ids.map(
        (id, index) => `  - { id: ${id}, kind: openai, base_url: "${url}"${optional(routes[index]!.settings)} }`,
      );
      const entries = ids.map(
        (id, index) => `      - { provider: ${id}, upstream_model: up-${index}${optional(routes[index]!.route)} }`,
      );
      const text = `providers:\n${providers.join("\n")}\nmodels:\n  - ${settings}\n    routes:\n${entries.join("\n")}\n`;
      const variables = { OPENAI_A: "key-a", OPENAI_B: "key-b" };
      hub.catalogue = catalogueWith(parseCatalogue(text, { file: "test", variables }).models);
      hub.services.routeHealth = createRoutingServices(hub).routeHealth;
      return ids;
    },
    attemptsOf: (provider) =>
      hub.db.query(
        "SELECT route, outcome, reason, cost, budget_cost FROM attempt WHERE route LIKE $1 ORDER BY started_at, n",
        [`${provider}%`],
      ),
    newest: () =>
      hub.db.query(
        `SELECT n, route, outcome, reason, cost, budget_cost,
                coalesce((SELECT array_agg(item ->> 'skipped') FROM jsonb_array_elements(passed_over) item), '{}') AS skipped
         FROM attempt WHERE generation_id = (SELECT id FROM generation ORDER BY created_at DESC, id DESC LIMIT 1) ORDER BY n`,
      ),
    async spentOf(provider) {
      const query = "SELECT spent FROM provider_spending WHERE provider = $1";
      return (await hub.db.query<{ spent: bigint }>(query, [provider]))[0]?.spent;
    },
  };
}
