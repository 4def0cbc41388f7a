"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTRPC } from "../../trpc/client";
import { Input } from "../../ui/controls";
import { FilterDate, Filters, FilterSelect } from "../../ui/filter";
import { codes, type readFilters } from "./read-filters";

interface Props {
  filters: ReturnType<typeof readFilters>;
  onChange: (name: string, value: string) => void;
}

export function RequestFilters({ filters: { key, code, from, to, request_id }, onChange }: Props) {
  const { data: keys = [] } = useQuery(useTRPC().keys.list.queryOptions());
  return (
    <Filters aria-label="Filters">
      <RequestIdFilter value={request_id ?? ""} onChange={(value) => onChange("request", value)} />
      <FilterSelect label="Key" value={key ?? ""} onChange={(event) => onChange("key", event.target.value)}>
        <option value="">Any</option>
        {keys.map(({ id, name, prefix }) => (
          <option key={id} value={id}>
            {name} ({prefix}…)
          </option>
        ))}
      </FilterSelect>
      <FilterSelect label="Error" value={code ?? ""} onChange={(event) => onChange("code", event.target.value)}>
        <option value="">Any</option>
        {codes.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </FilterSelect>
      <FilterDate label="From" value={from ?? ""} max={to} onChange={(event) => onChange("from", event.target.value)} />
      <FilterDate label="To" value={to ?? ""} min={from} onChange={(event) => onChange("to", event.target.value)} />
      <span className="text-xs text-soft">Dates in UTC</span>
    </Filters>
  );
}

const DEBOUNCE_MS = 300;

/** Finds a request by its id while somebody types or pastes it. */
function RequestIdFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // "Clear filters" and Back change the URL from outside.
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = value;
  }, [value]);
  const search = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(text.trim()), DEBOUNCE_MS);
  };
  return (
    <Input
      ref={field}
      type="search"
      aria-label="Request ID"
      placeholder="Paste a request ID"
      maxLength={200}
      defaultValue={value}
      onChange={({ target }) => search(target.value)}
      className="min-h-9 min-w-0 flex-1 basis-56 rounded-lg border border-strong-line bg-raised px-3 text-base sm:text-sm pointer-coarse:min-h-11"
    />
  );
}
