import { CircleCheck } from "lucide-react";

interface Props {
  issues: { line: number; path: string; message: string }[];
  warnings?: string[];
}

/** Lists errors and warnings by line. */
export function CheckIssues({ issues, warnings = [] }: Props) {
  return (
    <div role="status" className="grid gap-3 text-sm leading-6">
      {issues.length === 0 && (
        <p className="flex items-center gap-2">
          <CircleCheck size={16} aria-hidden className="shrink-0 text-good" />
          The text is valid.
        </p>
      )}
      {issues.length > 0 && (
        <ul className="grid gap-1">
          {issues.map(({ line, path, message }) => (
            <li key={`${line} ${path} ${message}`} className="wrap-anywhere text-danger">
              {line > 0 && <span className="tabular-nums">Line {line}: </span>}
              {[path, message].filter(Boolean).join(": ")}
            </li>
          ))}
        </ul>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="wrap-anywhere text-warning">
          {warning}
        </p>
      ))}
    </div>
  );
}
