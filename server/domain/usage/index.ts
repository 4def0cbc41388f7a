/** Usage: sums of what was settled, by time, model, key, end user and metadata, and reading them with what they lack. */
export { ChartInput, chartUsage, forecastMonth, toUsageQuery } from "./chart-usage";
export { listUsageMetadata, purgeUsageLabels, setAccountUsageMetadata, setUsageMetadata, UsageMetadata } from "./label";
export { type ErasedLabel, mergeErasedLabels, mergeUsageValues } from "./merge-values";
export { readUsage, serializeUsage, type UsageQuery } from "./read-usage";
export { rollUpUsage } from "./roll-up";
export { AllUsageFilter, UsageFilter } from "./usage-input";
export { writeUsage } from "./write-usage";
