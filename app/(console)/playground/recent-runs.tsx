"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { FileThumbnail } from "../../ui/file-thumbnail";
import { ownPath } from "../../ui/own-path";
import { useRovingFocus } from "../../ui/use-roving-focus";

interface Props {
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

/** Lists the account's last runs as a strip; choosing one shows its result. */
export function RecentRuns({ chosen, onChoose }: Props) {
  const { data: runs = [] } = useQuery(useTRPC().playground.recentRuns.queryOptions());
  const { setList, onKeyDown, tabIndexOf, onFocus } = useRovingFocus(runs.length, 0);
  return (
    <section aria-label="Recent runs" className="mb-6 min-w-0">
      <h2 className="mb-2 text-xs font-medium text-soft">Recent runs</h2>
      {runs.length === 0 ? (
        // As high as the list: its first run must not move a result that is already shown.
        <p className="flex min-h-11 items-center text-sm text-soft">Your last runs appear here.</p>
      ) : (
        <ol ref={setList} onKeyDown={onKeyDown} className="-m-1 flex gap-2 overflow-x-auto p-1">
          {runs.map(({ id, title, model, status, completed_at, output }, index) => (
            <li key={id} className="shrink-0">
              <button
                type="button"
                tabIndex={tabIndexOf(index)}
                aria-pressed={id === chosen}
                aria-label={`${title ?? model}, ${completed_at === null ? "in progress" : status}`}
                title={title ?? model}
                onFocus={() => onFocus(index)}
                onClick={() => onChoose(id)}
                className="grid cursor-pointer rounded-lg p-0.5 aria-pressed:outline-2 aria-pressed:outline-accent"
              >
                <FileThumbnail
                  path={output ? ownPath(output.url) : ""}
                  mediaType={output?.media_type ?? ""}
                  size={output?.size ?? 0}
                />
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
