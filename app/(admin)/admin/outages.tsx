"use client";

import { TriangleAlert } from "lucide-react";
import { Link } from "../../ui/link";
import { TimeAgo } from "../../ui/values";
import { RouteState } from "../route-state";
import type { HubState } from "../types";

/** Lists the routes that are paused or on trial, because nothing else on the page is as urgent; nothing without any. */
export function Outages({ providers }: Pick<HubState, "providers">) {
  const routes = providers.flatMap((provider) => provider.routes.filter(({ state }) => state !== "usable"));
  if (routes.length === 0) return null;
  return (
    <section aria-label="Outages" className="rounded-xl border border-danger bg-danger-wash text-sm text-danger">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 pt-4">
        <TriangleAlert size={20} aria-hidden className="shrink-0" />
        <h2 className="min-w-0 flex-1 font-semibold">
          {routes.length === 1 ? "1 route is not in use" : `${routes.length} routes are not in use`}
        </h2>
        <Link href="/admin/providers" className="font-medium underline pointer-coarse:py-3">
          View providers
        </Link>
      </div>
      <ul className="grid gap-3 px-5 py-4">
        {routes.map((route) => (
          <li key={route.route} className="grid gap-1 wrap-anywhere">
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{route.route}</span>
              <RouteState route={route} />
            </span>
            <span className="text-xs">
              Affects {route.models.join(", ")}
              {route.last_failure_at && (
                <>
                  , last failure <TimeAgo at={route.last_failure_at} />
                </>
              )}
              {route.last_error && `: ${route.last_error}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
