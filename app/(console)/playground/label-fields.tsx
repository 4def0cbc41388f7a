import { parsePairs } from "@/server/domain/labels/pairs";
import { errorsOf } from "../../ui/errors-of";
import { readText, TextField } from "../../ui/form";

/** Renders the labels of a run, collapsed by default; `readLabels` reads them. */
export function LabelFields({ error }: { error: unknown }) {
  const errors = errorsOf(error);
  const [metadata, endUser] = [errors?.field("metadata", "The metadata"), errors?.field("end_user", "The end user")];
  return (
    <details open={Boolean(metadata ?? endUser) || undefined}>
      <summary className="cursor-pointer text-sm font-medium">Labels</summary>
      <div className="mt-4 grid gap-4">
        <TextField name="labels.metadata" label="Metadata" placeholder="team=blue, run=7" error={metadata} />
        <TextField name="labels.end_user" label="End user" maxLength={255} error={endUser} />
      </div>
    </details>
  );
}

export interface RunLabels {
  metadata?: Record<string, string>;
  end_user?: string;
}

/** Returns the values of `LabelFields` as input of `playground.run`. */
export function readLabels(form: FormData): RunLabels {
  // A part without a value is sent as null, so that the hub says what is wrong with it.
  const pairs = Object.entries(parsePairs(readText(form, "labels.metadata"))).map(([key, value]) => [
    key,
    value ?? null,
  ]);
  return {
    metadata: pairs.length === 0 ? undefined : (Object.fromEntries(pairs) as Record<string, string>),
    end_user: readText(form, "labels.end_user") || undefined,
  };
}
