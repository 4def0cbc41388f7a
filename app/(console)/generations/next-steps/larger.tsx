import { Maximize2 } from "lucide-react";
import { Button } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { PriceOnButton } from "../../../ui/price-on-button";
import type { GenerationDetail, GenerationOutput } from "../types";
import { fileIdOf } from "./edit-with";

interface Props {
  generation: GenerationDetail;
  /** The picture that is shown; absent for other results. */
  picture?: GenerationOutput;
}

/** Opens the playground with an input that makes a result larger; renders nothing if no model can. */
export function Larger({ generation: { id, larger }, picture }: Props) {
  if (!larger) return null;
  const { model, enlarger, cost } = larger;
  const href =
    enlarger !== null && picture
      ? `/playground?file=${fileIdOf(picture)}&model=${encodeURIComponent(model)}`
      : `/playground?generation=${id}&larger=yes`;
  return (
    <Button asChild needs="develop">
      <Link href={href}>
        <Maximize2 size={16} aria-hidden />
        <span>
          {enlarger === null ? "Larger" : `Larger with ${enlarger}`}
          <PriceOnButton euros={cost} isExact={false} />
        </span>
      </Link>
    </Button>
  );
}
