import { Trash2 } from "lucide-react";
import { Button } from "../../ui/button";
import { FilterCheck } from "../../ui/filter";
import type { Selection } from "./use-selection";

interface Props {
  selection: Selection;
  onDelete: () => void;
}

/** Selects all files of a page, and offers what can be done with those selected. */
export function SelectionBar({ selection: { selected, isAll, selectAll, clear }, onDelete }: Props) {
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-5 py-2">
      <FilterCheck label="Select all" checked={isAll} onChange={isAll ? clear : selectAll} />
      <span role="status" className="text-sm text-soft">
        {selected.length > 0 && `${selected.length} selected`}
      </span>
      {selected.length > 0 && (
        <Button className="ml-auto" onClick={onDelete}>
          <Trash2 size={16} aria-hidden />
          Delete selected
        </Button>
      )}
    </div>
  );
}
