import { FilterDate, Filters, FilterSelect } from "../../ui/filter";
import type { readFilters } from "./read-filters";

type Props = ReturnType<typeof readFilters> & { onChange: (name: string, value: string) => void };

export const StatementFilterBar = ({ kind, from, to, onChange }: Props) => (
  <Filters aria-label="Filters">
    <FilterSelect label="Kind" value={kind ?? ""} onChange={(event) => onChange("kind", event.target.value)}>
      <option value="">Any</option>
      <option value="credit">Credit</option>
      <option value="charge">Charge</option>
    </FilterSelect>
    <FilterDate label="From" value={from ?? ""} max={to} onChange={(event) => onChange("from", event.target.value)} />
    <FilterDate label="To" value={to ?? ""} min={from} onChange={(event) => onChange("to", event.target.value)} />
    <span className="text-xs text-soft">Dates in UTC</span>
  </Filters>
);
