import { WandSparkles } from "lucide-react";
import { useId } from "react";
import { Button, type ButtonKind } from "../../ui/button";
import { usePermission } from "../../ui/access-context";
import { Link } from "../../ui/link";

interface Props {
  generation: { id: string; erased_at: string | null };
  kind?: ButtonKind;
}

/** Opens the input of a generation in the playground. Says why that is not possible once the input was erased. */
export function OpenInPlayground({ generation: { id, erased_at }, kind }: Props) {
  const reasonId = useId();
  const isPermitted = usePermission("develop");
  if (!isPermitted) return null;
  const label = (
    <>
      <WandSparkles size={16} aria-hidden />
      Open in playground
    </>
  );
  if (erased_at === null)
    return (
      <Button asChild kind={kind}>
        <Link href={`/playground?generation=${id}`}>{label}</Link>
      </Button>
    );
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Button disabled aria-describedby={reasonId}>
        {label}
      </Button>
      <span id={reasonId} className="text-xs text-soft">
        Its input was erased.
      </span>
    </span>
  );
}
