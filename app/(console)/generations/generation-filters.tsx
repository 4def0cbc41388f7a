"use client";

import { formatPairs } from "@/server/domain/labels/pairs";
import { type ModelKind, modelKinds } from "@/server/domain/models/model-kind";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ChangeEvent, useState } from "react";
import { useTRPC } from "../../trpc/client";
import { statusWords } from "../../ui/badge";
import { Button } from "../../ui/button";
import { FilterCheck, FilterCombobox, Filters, FilterSelect } from "../../ui/filter";
import { FilterDates } from "../../ui/filter-dates";
import { FilterSearch } from "../../ui/filter-search";
import { type Filters as FilterValues, UUID } from "./read-filters";

interface Props {
  filters: FilterValues;
  onChange: (name: string, value: string) => void;
}

/** Renders the search and the filters of the list; a phone shows the filters on demand. */
export function GenerationFilters({ filters, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const openOrSearch = useOpenById((text) => onChange("q", text));
  const { q, ...others } = filters;
  const count = Object.values(others).filter((value) => value !== undefined).length;
  return (
    <Filters aria-label="Search and filters">
      <FilterSearch
        aria-label="Search generations"
        aria-keyshortcuts="/"
        placeholder="Search prompt or ID"
        className="basis-40"
        value={q ?? ""}
        onSearch={(text) => void openOrSearch(text)}
        isComplete={(text) => UUID.test(text)}
      />
      <Button className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <SlidersHorizontal size={16} aria-hidden />
        {count > 0 ? `Filters (${count})` : "Filters"}
      </Button>
      <div className={`${isOpen ? "flex" : "hidden"} w-full flex-wrap items-center gap-x-4 gap-y-2 sm:flex`}>
        <RowFilters filters={others} onChange={onChange} />
      </div>
    </Filters>
  );
}

const kindWords: Record<ModelKind, string> = {
  image: "Images",
  video: "Videos",
  audio: "Audio",
  text: "Text",
  training: "Trainings",
};

interface RowProps extends Pick<Props, "onChange"> {
  filters: Omit<FilterValues, "q">;
}

function RowFilters({ filters, onChange }: RowProps) {
  const { model, from, to } = filters;
  const trpc = useTRPC();
  const { data: models = [] } = useQuery({ ...trpc.generations.models.queryOptions(), staleTime: Infinity });
  const { data: keys = [] } = useQuery(trpc.generations.keys.queryOptions());
  // The URL may name a model that is no longer offered.
  const names = model && !models.includes(model) ? [model, ...models] : models;
  const propsOf = (name: "status" | "kind") => ({
    value: filters[name] ?? "",
    onChange: (event: ChangeEvent<HTMLSelectElement>) => onChange(name, event.target.value),
  });
  return (
    <>
      <FilterSelect
        label="Status"
        {...propsOf("status")}
        options={statusWords.map(({ status, word }) => ({ value: status, label: word }))}
      />
      <FilterSelect
        label="Kind"
        {...propsOf("kind")}
        options={modelKinds.map((kind) => ({ value: kind, label: kindWords[kind] }))}
      />
      <FilterCombobox
        label="Model"
        options={names.map((name) => ({ value: name, label: name }))}
        value={model ?? ""}
        onChange={(value) => onChange("model", value)}
      />
      <FilterCombobox
        label="API key"
        options={labelKeys(keys)}
        value={filters.key ?? ""}
        onChange={(value) => onChange("key", value)}
      />
      <FilterSearch
        aria-label="Metadata"
        placeholder="team=blue, run=7"
        className="basis-40"
        value={formatPairs(filters.metadata ?? {})}
        onSearch={(text) => onChange("metadata", text)}
      />
      <FilterSearch
        aria-label="End user"
        placeholder="End user"
        className="basis-32"
        value={filters.end_user ?? ""}
        onSearch={(text) => onChange("end_user", text)}
      />
      <FilterDates from={from} to={to} onChange={onChange} />
      <FilterCheck
        label="Hide chats"
        checked={filters.exclude_llm ?? false}
        onChange={(event) => onChange("chats", event.target.checked ? "no" : "")}
      />
      {(from || to) && <span className="text-xs text-soft">Dates in UTC</span>}
    </>
  );
}

/** Returns keys as options. Keys with the same name are distinguished by the end of their ids. */
function labelKeys(keys: { id: string; name: string; isRevoked: boolean }[]) {
  const names = new Map<string, number>();
  for (const { name } of keys) names.set(name, (names.get(name) ?? 0) + 1);
  return keys.map(({ id, name, isRevoked }) => {
    const notes = [names.get(name)! > 1 && id.slice(-6), isRevoked && "revoked"].filter(Boolean);
    return { value: id, label: notes.length > 0 ? `${name} (${notes.join(", ")})` : name };
  });
}

/** Returns a function that opens the generation with an id, and passes any other text to `search`. */
function useOpenById(search: (text: string) => void) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const router = useRouter();
  return async (text: string) => {
    if (!UUID.test(text)) return search(text);
    const found = await client.fetchQuery(trpc.generations.list.queryOptions({ q: text })).catch(() => null);
    const [first] = found?.data ?? [];
    // Any other id may be that of a batch.
    if (first?.id !== text.toLowerCase()) return search(text);
    search("");
    router.push(`/generations/${first.id}`);
  };
}
