"use client";

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";

/** Shows the first steps of a new account, with those already done. */
export function FirstSteps() {
  const { data } = useQuery(useTRPC().overview.summary.queryOptions());
  const steps = [
    {
      title: "Create an API key",
      text: "Authenticates your API requests. Shown only once.",
      action: "Create key",
      href: "/keys",
      done: data?.has.key ?? false,
    },
    {
      title: "Run your first generation",
      text: "Pick a model and copy its example request. Results appear here automatically.",
      action: "View models",
      href: "/models",
      done: false,
    },
    {
      title: "Add a webhook",
      text: "Get notified when a generation finishes, instead of polling.",
      action: "Add webhook",
      href: "/webhooks",
      done: data?.has.webhook ?? false,
    },
  ];
  const next = steps.find(({ done }) => !done);
  return (
    <Card flush title="First steps">
      <ol>
        {steps.map((step, index) => (
          <li
            key={step.title}
            className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b border-line px-5 py-4 last:border-0"
          >
            <span
              className={`grid size-8 shrink-0 place-items-center rounded-full text-sm font-semibold ${
                step.done ? "bg-good-wash text-good" : "bg-sunken text-soft"
              }`}
            >
              {step.done ? <Check size={16} role="img" aria-label="Done" /> : index + 1}
            </span>
            <div className="min-w-0 flex-1 basis-56">
              <h3 className="text-sm font-semibold">{step.title}</h3>
              <p className="mt-0.5 text-sm leading-6 text-soft">{step.text}</p>
            </div>
            {!step.done && (
              <Button asChild kind={step === next ? "primary" : "quiet"}>
                <Link href={step.href}>{step.action}</Link>
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
