"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { FilterCheck, Filters, FilterSelect } from "../../ui/filter";
import { statusWords } from "../../ui/status-badge";
import type { readFilters } from "./read-filters";

type Props = ReturnType<typeof readFilters> & { onChange: (name: string, value: string) => void };

export function GenerationFilters({ status, model, exclude_llm, onChange }: Props) {
  const { data: models = [] } = useQuery({ ...useTRPC().generations.models.queryOptions(), staleTime: Infinity });
  // The URL may name a model that is no longer offered.
  const names = model && !models.includes(model) ? [model, ...models] : models;
  return (
    <Filters aria-label="Filters">
      <FilterSelect label="Status" value={status ?? ""} onChange={(event) => onChange("status", event.target.value)}>
        <option value="">Any</option>
        {statusWords.map(({ status, word }) => (
          <option key={status} value={status}>
            {word}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect label="Model" value={model ?? ""} onChange={(event) => onChange("model", event.target.value)}>
        <option value="">Any</option>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </FilterSelect>
      <FilterCheck
        label="Hide chats"
        checked={exclude_llm ?? false}
        onChange={(event) => onChange("chats", event.target.checked ? "no" : "")}
      />
    </Filters>
  );
}
