const END_LENGTH = 18;

/** Renders a text on one line; where it does not fit, its middle is left out, since its end tells it from others. */
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
