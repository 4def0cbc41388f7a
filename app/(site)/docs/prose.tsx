/** Renders a description; text in backquotes becomes code. */
export function Prose({ children }: { children: string | undefined }) {
  return children?.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
