import { Badge, type Tone } from "../../../ui/badge";
import type { CheckedDraft } from "./types";

const kinds: Record<CheckedDraft["changes"][number]["kind"], [Tone, string]> = {
  added: ["good", "Added"],
  removed: ["danger", "Removed"],
  changed: ["accent", "Changed"],
};

/** Lists the models that differ from the applied catalogue, with each setting before and after. */
export function Changes({ changes }: Pick<CheckedDraft, "changes">) {
  if (changes.length === 0)
    return <p className="text-sm text-soft">Models, prices and routes are those of the applied catalogue.</p>;
  return (
    <ul className="grid gap-4">
      {changes.map(({ model, kind, settings }) => (
        <li key={model} className="grid gap-1">
          <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
            <span className="wrap-anywhere">{model}</span>
            <Badge tone={kinds[kind][0]}>{kinds[kind][1]}</Badge>
          </p>
          <ul className="grid gap-0.5 font-mono text-xs leading-5">
            {settings.map(({ setting, before, after }) => (
              <li key={setting} className="wrap-anywhere">
                <span className="text-soft">{setting}: </span>
                {before !== null && <del className="text-danger">{before}</del>}
                {before !== null && after !== null && " → "}
                {after !== null && <ins className="text-good no-underline">{after}</ins>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
