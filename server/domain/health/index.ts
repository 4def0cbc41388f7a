/** Whether the services that the hub needs are available, and the errors for those that are not. */
export { checkReady, findReadinessIssues, type HealthHub, readinessParts } from "./check-ready";
export { MAX_CLOCK_SKEW_SECONDS, measureClockSkew } from "./clock-skew";
export { toServiceUnavailable } from "./to-service-unavailable";
