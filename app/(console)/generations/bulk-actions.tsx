import { Download, FolderPlus } from "lucide-react";
import { useAccess } from "../../ui/access-context";
import { Button } from "../../ui/button";
import { type Selection, SelectionBar } from "../../ui/selection";
import { CancelSelected } from "./cancel-selected";
import { EraseSelected } from "./erase-selected";
import { useCollectDialog } from "./collections/collect-button";
import { isAvailable } from "./is-available";
import type { GenerationSummary } from "./types";

interface Props {
  selection: Selection;
  generations: GenerationSummary[];
}

/** Renders the actions on the selected generations. */
export function BulkActions({ selection, generations }: Props) {
  const selected = generations.filter(({ id }) => selection.isSelected(id));
  const { collect, dialog } = useCollectDialog();
  const { isViewing } = useAccess();
  const withOutputs = selected.filter(({ output }) => isAvailable(output)).map(({ id }) => id);
  return (
    <>
      <SelectionBar selection={selection} noun="generations">
        <CancelSelected selected={selected} onDone={selection.clear} />
        <EraseSelected selected={selected} onDone={selection.clear} />
        <Button
          needs="develop"
          className="max-sm:px-2"
          title="Add to collection"
          onClick={() => collect(selection.ids)}
        >
          <FolderPlus size={16} aria-hidden />
          <span className="max-sm:sr-only">Add to collection</span>
        </Button>
        {withOutputs.length > 0 && !isViewing && (
          <Button asChild>
            <a href={`/generations/download?ids=${withOutputs.join(",")}`} download>
              <Download size={16} aria-hidden />
              <span className="max-sm:sr-only">Download ZIP</span>
            </a>
          </Button>
        )}
      </SelectionBar>
      {dialog}
    </>
  );
}
