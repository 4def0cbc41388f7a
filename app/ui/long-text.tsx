const END_LENGTH = 18;

/** Renders a text on one line, shortened in the middle if it does not fit, because the end of a URL distinguishes it. */
export const LongText = ({ text }: { text: string }) => (
  <span className="flex min-w-0" title={text}>
    <span className="sr-only">{text}</span>
    <span aria-hidden className="truncate">
      {text.slice(0, -END_LENGTH)}
    </span>
    <span aria-hidden className="shrink-0 whitespace-pre">
      {text.slice(-END_LENGTH)}
    </span>
  </span>
);
