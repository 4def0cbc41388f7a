import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { FilterCombobox, Filters, FilterSelect } from "../../ui/filter";
import { FilterDates } from "../../ui/filter-dates";
import { FilterSearch } from "../../ui/filter-search";
import { codes, type Filters as FilterValues } from "./read-filters";

interface Props {
  filters: FilterValues;
  onChange: (name: string, value: string) => void;
}

export function RequestFilters({ filters: { show, key, code, from, to, request_id }, onChange }: Props) {
  const { data: keys = [] } = useQuery(useTRPC().keys.list.queryOptions());
  return (
    <Filters aria-label="Filters">
      {show !== "generations" && (
        <FilterSearch
          aria-label="Request ID"
          placeholder="Paste a request ID"
          className="basis-56"
          value={request_id ?? ""}
          onSearch={(text) => onChange("request", text)}
        />
      )}
      <FilterCombobox
        label="Key"
        options={keys.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix}…)` }))}
        value={key ?? ""}
        onChange={(value) => onChange("key", value)}
      />
      {show !== "generations" && (
        <FilterSelect label="Error" value={code ?? ""} onChange={(event) => onChange("code", event.target.value)}>
          <option value="">Any</option>
          {codes.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </FilterSelect>
      )}
      <FilterDates from={from} to={to} onChange={onChange} />
      <span className="text-xs text-soft">Dates in UTC</span>
    </Filters>
  );
}
