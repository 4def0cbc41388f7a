/** Shows the colour of a series of a chart, also where the browser replaces the colours of the page. */
export const SeriesSwatch = ({ colour }: { colour: number }) => (
  <span
    aria-hidden
    className="size-3 shrink-0 rounded-xs forced-color-adjust-none"
    style={{ background: `var(--series-${colour})` }}
  />
);
