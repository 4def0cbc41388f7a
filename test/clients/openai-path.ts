/** Returns where a hub has OpenAI's API: `/v1`, or the specified path of chats where it has only these. */
export async function findOpenaiPath(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/models`, { headers: { Authorization: `Bearer ${key}` } });
  await response.body?.cancel();
  return response.ok ? "/v1" : "/api/v1/hub";
}
