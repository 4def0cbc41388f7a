"use client";

import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { useIsOperator } from "../use-operator";
import { Editor } from "./editor";

interface Props {
  /** The label of the editor. */
  label: string;
  /** The applied revision; null before the first. */
  revision: number | null;
  applied: string;
  source: string;
  issues: { line: number }[];
  isChecking: boolean;
  onChange: (source: string) => void;
  onCheck: () => void;
}

/** Edits the text of a revision. An auditor can only read it. */
export function DraftCard({ label, revision, applied, source, issues, isChecking, onChange, onCheck }: Props) {
  const isOperator = useIsOperator();
  const isChanged = source !== applied;
  const name = revision === null ? "No revision applied yet" : `Revision ${revision}`;
  return (
    <Card
      flush
      title={isChanged ? `${name}, changed` : name}
      action={
        isOperator && (
          <span className="flex gap-2">
            {isChanged && <Button onClick={() => onChange(applied)}>Discard changes</Button>}
            <Button busy={isChecking} onClick={onCheck}>
              Check
            </Button>
          </span>
        )
      }
    >
      <Editor label={label} value={source} readOnly={!isOperator} issues={issues} onChange={onChange} />
    </Card>
  );
}
