/** The tokens of a settled chat: totals, and parts of them. */
interface UsedTokens {
  input_tokens: number;
  cached_input_tokens: number;
  cache_write_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
}

/** Returns tokens in words, such as "1,200 new, 48,000 cached, 900 written tokens in; 310 out". */
export function describeTokens(usage: UsedTokens, format: (count: number) => string): string {
  const {
    input_tokens: input,
    cached_input_tokens: cached,
    cache_write_tokens: written,
    output_tokens: output,
  } = usage;
  const parts = [
    ...(cached > 0 ? [`${format(cached)} cached`] : []),
    ...(written > 0 ? [`${format(written)} written`] : []),
  ];
  const fresh = input - cached - written;
  const reasoning = usage.reasoning_tokens > 0 ? `, ${format(usage.reasoning_tokens)} of them reasoning` : "";
  const prompt = parts.length === 0 ? format(input) : [`${format(fresh)} new`, ...parts].join(", ");
  return `${prompt} tokens in; ${format(output)} out${reasoning}`;
}
