"use client";

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { type CreditSource, useCreditSource } from "./credit-source";

interface Step {
  title: string;
  text: ReactNode;
  action: string;
  href: string;
  done: boolean;
  /** Whether it needs credit that the account does not have. */
  isBlocked?: boolean;
}

/** Shows the first steps of a new account, with those already done, until its owner hides them. */
export function FirstSteps({ hasGeneration }: { hasGeneration: boolean }) {
  const trpc = useTRPC();
  const { data: summary } = useQuery(trpc.overview.summary.queryOptions());
  const { data: account } = useQuery(trpc.account.get.queryOptions());
  const source = useCreditSource(summary?.takes_payments ?? false);
  if (!summary?.shows_steps) return null;
  const isWithoutCredit = typeof account?.available === "number" && account.available <= 0;
  const steps = listSteps({ ...summary, hasGeneration, isWithoutCredit, source });
  const next = steps.find(({ done, isBlocked }) => !done && !isBlocked);
  const doneCount = steps.filter(({ done }) => done).length;
  const isDone = doneCount === steps.length;
  return (
    <Card flush title="First steps" action={<HideButton isDone={isDone} />}>
      <p className={`px-5 text-sm text-soft ${isDone ? "pt-4" : "border-b border-line py-3"}`}>
        {isDone ? "You’re all set." : `${doneCount} of ${steps.length} done`}
      </p>
      <ol className={isDone ? "flex flex-wrap gap-x-6 gap-y-2 px-5 pt-2 pb-4" : undefined}>
        {steps.map((step, index) =>
          isDone ? (
            <DoneItem key={step.title} title={step.title} />
          ) : (
            <StepItem key={step.title} step={step} number={index + 1} isNext={step === next} />
          ),
        )}
      </ol>
    </Card>
  );
}

interface Progress {
  has: { key: boolean; webhook: boolean };
  hasGeneration: boolean;
  isWithoutCredit: boolean;
  trial_credit: number | null;
  source: CreditSource;
}

const listSteps = ({ has, hasGeneration, isWithoutCredit, trial_credit, source }: Progress): Step[] => [
  {
    title: "Create an API key",
    text: "Authenticates your API requests. Shown only once.",
    action: "Create key",
    href: "/keys?new",
    done: has.key,
  },
  {
    title: "Run your first generation",
    text: isWithoutCredit ? (
      <NeedsCredit trialCredit={trial_credit} advice={source.advice} />
    ) : (
      "We fill in a model and a prompt for you. Just press Run."
    ),
    action: "Open playground",
    href: "/playground?first",
    done: hasGeneration,
    isBlocked: isWithoutCredit,
  },
  {
    title: "Add a webhook",
    text: "Get notified when a generation finishes, instead of polling.",
    action: "Add webhook",
    href: "/webhooks?new",
    done: has.webhook,
  },
];

const DoneItem = ({ title }: { title: string }) => (
  <li className="flex items-center gap-2 text-sm">
    <Check size={16} role="img" aria-label="Done" className="text-good" />
    {title}
  </li>
);

const StepItem = ({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b border-line px-5 py-4 last:border-0">
    <span
      className={`grid size-8 shrink-0 place-items-center rounded-full text-sm font-semibold ${
        step.done ? "bg-good-wash text-good" : "bg-sunken text-soft"
      }`}
    >
      {step.done ? <Check size={16} role="img" aria-label="Done" /> : number}
    </span>
    <div className="min-w-0 flex-1 basis-56">
      <h3 className="text-sm font-semibold">{step.title}</h3>
      {!step.done && <p className="mt-0.5 text-sm leading-6 text-soft">{step.text}</p>}
    </div>
    {!step.done && (
      <Button asChild kind={isNext ? "primary" : "quiet"}>
        <Link href={step.href}>{step.action}</Link>
      </Button>
    )}
  </li>
);

const NeedsCredit = ({ trialCredit, advice }: { trialCredit: number | null; advice: string }) =>
  trialCredit === null ? (
    `Needs credit. ${advice}`
  ) : (
    <>
      Needs credit. Verify your e-mail address to get <Money euros={trialCredit} />.
    </>
  );

function HideButton({ isDone }: { isDone: boolean }) {
  const hide = useHubMutation((trpc) => trpc.overview.hideSteps, {
    invalidates: (trpc) => [trpc.overview.summary.queryFilter()],
  });
  return (
    <Button kind="ghost" busy={hide.isPending} onClick={() => hide.mutate()}>
      {isDone ? "Done" : "Hide first steps"}
    </Button>
  );
}
