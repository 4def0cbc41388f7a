"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { Dialog } from "../../../ui/dialog";
import { FileThumbnail } from "../../../ui/file-thumbnail";
import { Link } from "../../../ui/link";
import { NotLoaded } from "../../../ui/not-loaded";
import { ownPath } from "../../../ui/own-path";
import { TimeAgo } from "../../../ui/values";
import type { GenerationSummary } from "../types";

interface Props {
  id: string;
  model: string;
  onClose: () => void;
}

/** Renders a dialog with the newest other generations of a model, each of which leads to the comparison with this one. */
export function CompareDialog({ id, model, onClose }: Props) {
  const query = useQuery(useTRPC().generations.list.queryOptions({ model }));
  // A list that came later would move the buttons of an open dialog.
  if (query.isLoading) return null;
  const others = query.data?.data.filter((one) => one.id !== id);
  return (
    <Dialog open onOpenChange={onClose} title="Compare with" description={`Newest generations of ${model}.`}>
      {!others ? (
        <NotLoaded what="The list" query={query} />
      ) : others.length === 0 ? (
        <p className="text-sm text-soft">This model has no other generation yet.</p>
      ) : (
        <ul aria-label="Generations" className="grid max-h-96 divide-y divide-line overflow-y-auto">
          {others.map((one) => (
            <li key={one.id}>
              <Candidate generation={one} href={`/generations/compare?id=${id}&with=${one.id}`} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

const Candidate = ({ generation, href }: { generation: GenerationSummary; href: string }) => (
  <Link href={href} className="flex min-h-14 items-center gap-3 rounded-lg py-2 -outline-offset-2 hover:bg-sunken">
    <FileThumbnail
      path={generation.output ? ownPath(generation.output.url) : ""}
      mediaType={generation.output?.media_type ?? ""}
      size={generation.output?.size ?? 0}
    />
    <span className="grid min-w-0">
      <span className="truncate text-sm font-medium">{generation.title ?? generation.id}</span>
      <span className="text-xs text-soft">
        <TimeAgo at={generation.created_at} />
      </span>
    </span>
  </Link>
);
