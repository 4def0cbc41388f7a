export const GENERATIONS = "/api/v1/hub/generations";
export const CHAT = "/api/v1/hub/chat/completions";
export const painting = { model: "sandbox-image", input: { prompt: "a pier" } };
export const messages = [{ role: "user" as const, content: "hello" }];
