import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { ProgressBar } from "../../ui/progress-bar";
import { TimeAgo } from "../../ui/time-ago";
import { CharacterBadge } from "./character-status";
import type { CharacterSummary } from "./types";
import { Picture } from "./picture";

/** Shows a summary of a character in the list. */
export function CharacterCard({ character }: { character: CharacterSummary }) {
  const { id, name, status, base_model, progress, images, updated_at } = character;
  return (
    <li className="relative grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] overflow-hidden rounded-xl border border-line bg-raised hover:border-strong-line">
      <Thumbnails character={character} />
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2 p-4">
        <div className="flex items-center justify-between gap-3">
          <h2 className="min-w-0 truncate text-sm font-semibold">
            {/* The whole card leads there. */}
            <Link href={`/characters/${id}`} className="after:absolute after:inset-0 hover:underline">
              {name}
            </Link>
          </h2>
          <CharacterBadge status={status} />
        </div>
        {status === "running" && <ProgressBar share={progress} label={`Progress of ${name}`} />}
        <p className="truncate text-xs text-soft">
          {base_model} · {images.length === 1 ? "1 picture" : `${images.length} pictures`}
        </p>
        <p className="flex justify-between gap-3 text-xs text-soft">
          <Cost character={character} />
          <TimeAgo at={updated_at} />
        </p>
      </div>
    </li>
  );
}

/** The billed cost; until it is known, the most that the training can cost. */
function Cost({ character: { billed_cost, estimated_cost } }: { character: CharacterSummary }) {
  if (billed_cost !== null) return <Money euros={billed_cost} className="text-ink" />;
  if (estimated_cost === null) return <span>—</span>;
  return (
    <span>
      ≤ <Money euros={estimated_cost} />
    </span>
  );
}

/** Up to four of the character's pictures. */
const Thumbnails = ({ character: { pictures } }: { character: CharacterSummary }) => (
  <div className="grid h-32 auto-cols-[minmax(0,1fr)] grid-flow-col gap-px border-b border-line bg-line">
    {pictures.length > 0 ? (
      pictures.map(({ file }, index) => <Picture key={index} file={file} />)
    ) : (
      <span className="grid place-items-center bg-sunken text-xs text-soft">No pictures yet</span>
    )}
  </div>
);
