import { ArrowRight } from "lucide-react";

/** Shows a model's input and output types: "text, image → image". */
export const Modalities = ({ input, output }: { input: string[]; output: string[] }) => (
  <span className="inline-flex items-center gap-1.5 text-xs text-soft">
    {input.join(", ")}
    <ArrowRight size={12} aria-label="to" role="img" />
    {output.join(", ")}
  </span>
);
