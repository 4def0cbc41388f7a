"use client";

import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { FormError, readText } from "../../ui/form";
import { OperatorForm } from "../operator-form";
import { CheckIssues } from "./check-issues";
import { DraftCard } from "./draft-card";

interface Checked {
  issues: { line: number; path: string; message: string }[];
  warnings?: string[];
}

type Mutation<Result, Input> = Pick<
  UseMutationResult<Result, unknown, Input>,
  "data" | "error" | "isPending" | "mutate" | "reset" | "variables"
>;

interface Props<Result extends Checked> {
  /** The label of the editor. */
  label: string;
  /** The applied revision; null before the first. */
  base: number | null;
  /** The applied text. */
  applied: string;
  source: string;
  onChange: (source: string) => void;
  check: Mutation<Result, { source: string }>;
  /** Applies a checked text, unless another revision was applied since `base`. */
  apply: Mutation<unknown, { source: string; base: number | null; reason: string }>;
  canApply?: boolean;
  /** Renders what a valid text changes. */
  renderChanges?: (checked: Result) => ReactNode;
}

/** Shows the editor of a text, the result of its last check, and the form that applies a valid one as a new revision. */
export function RevisionDraft<Result extends Checked>(props: Props<Result>) {
  const { label, base, applied, source, onChange, check, apply, canApply = true, renderChanges } = props;
  // A result applies only to the text that was checked.
  const checked = check.data && check.variables?.source === source ? check.data : null;
  const onCheck = () => {
    apply.reset();
    check.mutate({ source });
  };
  return (
    <>
      <DraftCard
        label={label}
        revision={base}
        applied={applied}
        source={source}
        issues={checked?.issues ?? []}
        isChecking={check.isPending}
        onChange={onChange}
        onCheck={onCheck}
      />
      <FormError>{errorsOf(check.error)?.message}</FormError>
      {checked && (
        <CheckCard checked={checked}>
          {renderChanges?.(checked)}
          {canApply && source !== applied && (
            <div className="max-w-md border-t border-line pt-5">
              <OperatorForm
                verb="Apply to all hubs"
                busy={apply.isPending}
                error={apply.error}
                onSubmit={(form) => apply.mutate({ source, base, reason: readText(form, "reason") })}
              />
            </div>
          )}
        </CheckCard>
      )}
    </>
  );
}

/** Shows the result of a check, and `children` if the text is valid. */
const CheckCard = ({ checked: { issues, warnings }, children }: { checked: Checked; children: ReactNode }) => (
  <Card title="Check">
    <div className="grid gap-6">
      <CheckIssues issues={issues} warnings={warnings} />
      {issues.length === 0 && children}
    </div>
  </Card>
);
