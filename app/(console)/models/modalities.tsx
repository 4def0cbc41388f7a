import { ArrowRight } from "lucide-react";

/** What a model takes and what it makes: "text, image → image". */
export const Modalities = ({ input, output }: { input: string[]; output: string[] }) => (
  <span className="inline-flex items-center gap-1.5 text-xs text-soft">
    {input.join(", ")}
    <ArrowRight size={12} aria-label="to" role="img" />
    {output.join(", ")}
  </span>
);
