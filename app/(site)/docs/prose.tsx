/** Renders a description; text in backticks becomes code. */
export function Prose({ children }: { children: string | undefined }) {
  return children?.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
