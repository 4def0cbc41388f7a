import type { Outputs } from "../../../trpc/outputs";
import type { DisplayedError } from "@/server/trpc/error";
import type { FileInputs, LineIssue } from "./read-inputs";

const MAX_SHOWN = 20;

interface Props {
  read: FileInputs;
  /** The response of the hub to the inputs. */
  preview: Outputs["batches"]["preview"] | undefined;
  /** Why the batch was rejected. */
  error: unknown;
}

/** Lists what is wrong with a file, line by line; renders nothing if all is well. */
export function CsvIssues({ read, preview, error }: Props) {
  const found = [...(preview?.issues ?? []), ...readInputIssues(error)];
  const issues = [...read.issues, ...found.map((issue) => toLineIssue(issue, read.lines))];
  const count = Math.max(issues.length, preview?.rejected ?? 0);
  if (count === 0) return null;
  const more = count - Math.min(issues.length, MAX_SHOWN);
  return (
    <div role="alert" className="grid gap-1 rounded-lg bg-danger-wash px-3 py-2 text-sm leading-6 text-danger">
      <p className="font-medium">
        {count === 1 ? "Nothing was started: fix this line." : "Nothing was started: fix these lines."}
      </p>
      <ul className="max-h-48 overflow-y-auto">
        {issues.slice(0, MAX_SHOWN).map(({ line, message }, index) => (
          <li key={index} className="break-words">
            Line {line}: {message}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </div>
  );
}

type InputIssue = Outputs["batches"]["preview"]["issues"][number];

const toLineIssue = ({ index, parameter, message }: InputIssue, lines: number[]): LineIssue => ({
  line: lines[index]!,
  message: parameter === null ? message : `${parameter} ${message}.`,
});

/** Returns what an error of the hub says about single inputs. */
export function readInputIssues(error: unknown): InputIssue[] {
  const errors = (error as { data?: Partial<DisplayedError> | null } | null)?.data?.errors ?? {};
  return Object.entries(errors).flatMap(([place, [message = ""]]) => {
    const [, index, parameter = null] = /^inputs\.(\d+)(?:\.([^.]+))?/.exec(place) ?? [];
    return index === undefined ? [] : [{ index: Number(index), parameter, message }];
  });
}
