"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { errorsOf } from "../../../ui/errors-of";
import { FormError } from "../../../ui/form";
import { Money } from "../../../ui/money";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { TimeAgo } from "../../../ui/values";
import { RouteState } from "../../route-state";
import { useIsOperator } from "../../use-operator";

type Provider = Outputs["admin"]["providers"]["list"][number];

const POLL_INTERVAL_MS = 10_000;

/** Shows the providers of the catalogue's routes: keys, limits, spend and failures. */
export function Providers() {
  const { data: providers = [] } = useQuery({
    ...useTRPC().admin.providers.list.queryOptions(),
    refetchInterval: POLL_INTERVAL_MS,
  });
  return (
    <>
      <PageHeader title="Providers">
        The services that run generations, with API keys from this hub’s environment.
      </PageHeader>
      {providers.length === 0 ? (
        <Card>
          <Notice heading="h2" title="No providers" icon={<Plug size={20} />}>
            The catalogue has no models from a provider yet. Add some with{" "}
            <code>npm run hub -- provider add replicate</code>.
          </Notice>
        </Card>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {providers.map((provider) => (
            <ProviderCard key={provider.id} provider={provider} />
          ))}
        </div>
      )}
    </>
  );
}

const keys = { set: "Key set", missing: "Key missing", none: "No key needed" };

function ProviderCard({ provider }: { provider: Provider }) {
  const { id, kind, key, missing, retired, in_flight, max_in_flight, spent_today, spend_limit, lost, routes } =
    provider;
  const isOperator = useIsOperator();
  const check = useMutation(useTRPC().admin.providers.check.mutationOptions());
  return (
    <Card
      title={id === kind ? id : `${id} (${kind})`}
      action={
        isOperator && (
          <Button busy={check.isPending} aria-label={`Test ${id}`} onClick={() => check.mutate({ id })}>
            Test
          </Button>
        )
      }
    >
      <div className="grid gap-4 text-sm leading-6">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Badge tone={key === "missing" ? "danger" : "good"}>{keys[key]}</Badge>
          {retired && <Badge>Retired: no new work</Badge>}
          {missing.length > 0 && <span className="text-danger">Set {missing.join(", ")}.</span>}
          <span>
            {in_flight}
            {max_in_flight !== null && ` of ${max_in_flight}`} in flight
          </span>
          {spent_today !== null && spend_limit !== null && (
            <span>
              <Money euros={spent_today} /> of <Money euros={spend_limit} /> spent today
            </span>
          )}
          {lost > 0 && <span className="text-warning">{lost} lost in 30 days, possibly billed</span>}
        </p>
        <ul className="grid gap-2">
          {routes.map((route) => (
            <Route key={route.route} route={route} />
          ))}
        </ul>
        <FormError>{errorsOf(check.error)?.message}</FormError>
        {check.data && <CheckResult checks={check.data} />}
      </div>
    </Card>
  );
}

const Route = ({ route }: { route: Provider["routes"][number] }) => (
  <li className="wrap-anywhere">
    <span className="flex flex-wrap items-center gap-2">
      <span className="font-medium">{route.route}</span>
      <RouteState route={route} />
    </span>
    <span className="text-xs text-soft">
      Serves {route.models.join(", ")}
      {route.last_failure_at && (
        <>
          , last failure <TimeAgo at={route.last_failure_at} />: {route.last_error}
        </>
      )}
    </span>
  </li>
);

type Checks = Outputs["admin"]["providers"]["check"];
const results = { ok: "offers", failed: "rejects", not_checked: "cannot check" };

const CheckResult = ({ checks }: { checks: Checks }) => (
  <ul role="status" className="grid gap-1 border-t border-line pt-3">
    {checks.map(({ provider, upstream_model, models, result, problem }) => (
      <li key={`${upstream_model}`} className={`wrap-anywhere ${result === "failed" ? "text-danger" : ""}`}>
        {provider} {results[result]} {upstream_model ?? models.join(", ")}
        {problem && `: ${problem}`}
      </li>
    ))}
    {checks.length === 0 && <li>Nothing to check.</li>}
  </ul>
);
