import { formatFamily, type Sample } from "../../lib/metrics/text-format";

/** Returns the text of a gauge. */
export const gauge = (name: string, help: string, samples: Sample[]): string =>
  formatFamily({ name, help, kind: "gauge", samples });

/** Returns the one sample of a gauge without labels; none for null. */
export const single = (value: number | null): Sample[] => (value === null ? [] : [{ labels: {}, value }]);
