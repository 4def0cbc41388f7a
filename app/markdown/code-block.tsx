import { isValidElement, type ReactNode } from "react";
import { CopyButton } from "../ui/copy-button";

/** Renders a block of code with a button that copies it. */
export function CodeBlock({ children }: { children?: ReactNode }) {
  const text = textOf(children);
  return (
    <div className="relative">
      <pre tabIndex={0} aria-label="Code" className="overflow-x-auto rounded-lg bg-sunken p-3 pr-12 font-mono text-xs">
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label="Copy code" iconOnly className="absolute top-1 right-1" />
    </div>
  );
}

/** Returns the text of the `code` element inside. */
function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map((child: ReactNode) => textOf(child)).join("");
  if (isValidElement<{ children?: ReactNode }>(node)) return textOf(node.props.children);
  return typeof node === "string" ? node : "";
}
