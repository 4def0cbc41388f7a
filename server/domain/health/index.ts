/** Whether the hub is ready, and errors of services that are unavailable. */
export { checkReady, findReadinessIssues, type HealthHub, readinessParts } from "./check-ready";
export { MAX_CLOCK_SKEW_SECONDS, measureClockSkew } from "./clock-skew";
export { toServiceUnavailable } from "./to-service-unavailable";
