"use client";

import { Input } from "../../ui/controls";
import { Filters, FilterSelect } from "../../ui/filter";
import { Segments } from "../../ui/segments";
import { type readFilters, sources, types } from "./read-filters";

type Props = ReturnType<typeof readFilters> & { onChange: (name: string, value: string) => void };

/** Filters the files by name, source and type. */
export const FileFilters = ({ q, kind, type, onChange }: Props) => (
  <Filters aria-label="Filters">
    <Input
      type="search"
      aria-label="Search files by name"
      placeholder="Search by name"
      maxLength={200}
      defaultValue={q}
      onChange={(event) => onChange("q", event.target.value)}
      className="min-h-9 min-w-0 flex-1 basis-48 rounded-lg border border-strong-line bg-raised px-3 text-base sm:text-sm pointer-coarse:min-h-11"
    />
    <Segments
      label="Source"
      options={sources}
      value={kind ?? "all"}
      onChange={(next) => onChange("source", next === "all" ? "" : next)}
    />
    <FilterSelect label="Type" value={type ?? ""} onChange={(event) => onChange("type", event.target.value)}>
      <option value="">Any</option>
      {types.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </FilterSelect>
  </Filters>
);
